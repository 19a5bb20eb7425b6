"""Arms: ways of answering that the bench compares. `bench.arms.table` lists them."""
