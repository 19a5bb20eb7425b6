"""Prompts: the files of `navigator/prompts`, and how values are put into them.

A prompt is one Markdown file for each language, with `$name` where a value goes and `$$` for a dollar sign. Values are
inserted once and never looked at: a question or a text that says `$name` says just that.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from string import Template

from forest.errors import WrongUsage

LANGUAGES = ("es", "en")
_FOLDER = "prompts"
_SUFFIX = ".md"


def prompt(name: str, language: str, **values: object) -> str:
    """Return a prompt with its values, without the white space around it.

    Args:
        name: of its file, without the suffix.
        language: `es` or `en`.
        values: exactly those that it names.

    Raises:
        WrongUsage: there is no such prompt, or the values are not those that it names. No value is in the message.
    """
    template = _template(name, language)
    named = set(template.get_identifiers())
    if named != values.keys():
        wrong = ", ".join(sorted(named ^ values.keys()))
        raise WrongUsage(f"The prompt {language}/{name} takes other values: {wrong}.")
    return template.substitute(values)


@cache
def prompts_hash() -> str:
    """Return the SHA-256 of all prompts, names and texts, in hexadecimal: a run of the bench tells it."""
    whole = hashlib.sha256()
    for (language, name), text in sorted(_texts().items()):
        data = text.encode()
        whole.update(f"{language}/{name}\n{len(data)}\n".encode() + data)
    return whole.hexdigest()


@cache
def _template(name: str, language: str) -> Template:
    texts = _texts()
    if (language, name) not in texts:
        known = ", ".join(sorted({one for _, one in texts}))
        raise WrongUsage(f"There is no prompt {name!r} in {language!r}.", f"Prompts: {known}; {', '.join(LANGUAGES)}.")
    template = Template(texts[language, name].strip())
    if not template.is_valid():
        raise WrongUsage(f"The prompt {language}/{name} has a lonely dollar sign.", "Write $$ for one.")
    return template


@cache
def _texts() -> dict[tuple[str, str], str]:
    """Return all prompts by language and name."""
    found: dict[tuple[str, str], str] = {}
    for language in LANGUAGES:
        for file in files("navigator").joinpath(_FOLDER, language).iterdir():
            if file.name.endswith(_SUFFIX):
                found[language, file.name.removesuffix(_SUFFIX)] = file.read_text("utf-8").replace("\r\n", "\n")
    return found
