"""Prompts: values go in as they are, both languages say the same names, and what is wrong is an error."""

from __future__ import annotations

import re
from string import Template

import pytest

from forest.errors import WrongUsage
from navigator.prompting import LANGUAGES, _texts, prompt, prompts_hash

VALUES = {"calls": 6, "clock": "2026-03-01", "fence": "<<<x>>>"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_value_is_inserted_once_and_never_interpreted(language: str) -> None:
    hostile = r"$calls ${fence} {0} {x} %s $$ \1"
    shown = prompt("tools", language, **{**VALUES, "clock": hostile})
    assert hostile in shown
    assert shown.count("<<<x>>>") == 1


def test_every_prompt_stands_in_both_languages_with_the_same_names() -> None:
    named = {key: set(Template(text).get_identifiers()) for key, text in _texts().items()}
    names = {name for _, name in named}
    assert "tools" in names
    assert {(language, name) for language in LANGUAGES for name in names} == named.keys()
    assert all(named["es", name] == named["en", name] for name in names)
    assert all(Template(text).is_valid() for text in _texts().values())


@pytest.mark.parametrize(
    ("name", "language", "values", "told"),
    [
        ("herramientas", "es", VALUES, "There is no prompt"),
        ("tools", "fr", VALUES, "There is no prompt"),
        ("../es/tools", "en", VALUES, "There is no prompt"),
        ("tools", "es", {"calls": 6, "clock": "x"}, "takes other values: fence"),
        ("tools", "es", {**VALUES, "secret": "hidden words"}, "takes other values: secret"),
    ],
)
def test_what_is_not_there_is_an_error_without_values_in_it(
    name: str, language: str, values: dict[str, object], told: str
) -> None:
    with pytest.raises(WrongUsage, match=re.escape(told)) as caught:
        prompt(name, language, **values)
    assert "hidden words" not in str(caught.value)


def test_the_hash_is_of_all_prompts_and_stays() -> None:
    assert re.fullmatch("[0-9a-f]{64}", prompts_hash())
    assert prompts_hash() == prompts_hash.__wrapped__()
