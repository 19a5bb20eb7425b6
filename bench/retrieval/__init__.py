"""The retrieval bench: how high the tools and bm25s rank the documents and passages that hold the evidence."""
