"""The endpoint: where a model is asked, and how; read from options, the environment and the user's configuration.

Never from a forest, nor from the folder one happens to be in: what is read there must not decide who is told what is
asked. How it is talked to is `navigator.openai_chat`'s.
"""

from __future__ import annotations

import ipaddress
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from forest.errors import WrongUsage

SCRIPT = "script:"
CONFIG_NAME = "config.toml"
DEFAULT_TIMEOUT_SECONDS = 120.0
LANGUAGES = ("es", "en")

_MAX_CONFIG_BYTES = 64 * 1024
_MAX_CHARACTERS = 2_000  # of any one setting
_MIN_WINDOW, _MAX_WINDOW = 512, 100_000_000
_MAX_TIMEOUT_SECONDS = 24 * 3600.0
_TABLE = "model"
_TYPES: Mapping[str, tuple[type, ...]] = {
    "endpoint": (str,),
    "model": (str,),
    "key": (str,),
    "timeout_seconds": (int, float),
    "window_tokens": (int,),
    "language": (str,),
}
# The environment, name by name: the first that is set wins, even if it is empty.
_ENVIRONMENT: Mapping[str, tuple[str, ...]] = {
    "endpoint": ("FOREST_ENDPOINT", "OPENAI_BASE_URL"),
    "model": ("FOREST_MODEL", "OPENAI_MODEL"),
    "key": ("FOREST_API_KEY", "OPENAI_API_KEY"),
    "timeout_seconds": ("FOREST_TIMEOUT",),
    "window_tokens": ("FOREST_WINDOW",),
    "language": ("FOREST_LANGUAGE",),
}
_OF_ONE_ENDPOINT = ("model", "key", "window_tokens")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is asked, and how.

    Attributes:
        url: of an OpenAI-compatible API, without a slash at its end; or `script:FILE` (`navigator.scripted`).
        model: its name; "" to take the one that the server names first.
        key: "" for none; no `repr` shows it.
        timeout_seconds: for one call of the model, all attempts together.
        window_tokens: that prompt and reply may have together; 0 to ask the server.
        language: of the prompts, `es` or `en`; "" for the question's own.
    """

    url: str
    model: str = ""
    key: str = field(default="", repr=False)
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    window_tokens: int = 0
    language: str = ""

    @property
    def is_local(self) -> bool:
        """Whether it is on this machine."""
        return _is_loopback(urlsplit(self.url).hostname or "")


def config_path() -> Path:
    """Return where the user's configuration is looked for."""
    import platformdirs  # only where a model is asked

    return Path(platformdirs.user_config_dir("forest", appauthor=False)) / CONFIG_NAME


def endpoint_for(
    *,
    url: str = "",
    model: str = "",
    key: str = "",
    environment: Mapping[str, str] | None = None,
    config: Path | None = None,
) -> Endpoint | None:
    """Return the endpoint that options, environment and configuration name together, None when none is named.

    Each setting is taken from the first that has it: the option, `FOREST_…`, `OPENAI_…`, the configuration. What the
    configuration says of model, key and window holds for the endpoint that it names; with another it is left out.

    Args:
        url: the option, "" when it was not given; likewise `model` and `key`.
        model: its name.
        key: for the endpoint.
        environment: of the process unless given.
        config: the configuration's file, `config_path()` unless given.

    Raises:
        WrongUsage: a setting is malformed, or a key would go over the network unencrypted. No key is in the message.
    """
    told = os.environ if environment is None else environment
    filed = _read_config(config if config is not None else config_path())
    named: dict[str, object] = {}
    for name, variables in _ENVIRONMENT.items():
        option = {"endpoint": url, "model": model, "key": key}.get(name, "")
        variable = next((variable for variable in variables if variable in told), None)
        if option:
            named[name] = _checked(name, option, f"--{'api-key' if name == 'key' else name}")
        elif variable is not None:
            named[name] = _checked(name, _from_variable(name, told[variable], variable), variable)
    if filed.get("endpoint") and named.get("endpoint", filed["endpoint"]) != filed["endpoint"]:
        filed = {name: value for name, value in filed.items() if name not in _OF_ONE_ENDPOINT}
    settings = {**filed, **named}
    place = str(settings.get("endpoint", ""))
    if not place:
        return None
    endpoint = Endpoint(
        place,
        model=str(settings.get("model", "")),
        key=str(settings.get("key", "")),
        timeout_seconds=float(str(settings.get("timeout_seconds", DEFAULT_TIMEOUT_SECONDS))),
        window_tokens=int(str(settings.get("window_tokens", 0))),
        language=str(settings.get("language", "")),
    )
    if endpoint.key and urlsplit(place).scheme == "http" and not endpoint.is_local:
        raise WrongUsage(
            f"The key would go unencrypted to {urlsplit(place).hostname}.",
            "Use https, or send no key: FOREST_API_KEY= (empty).",
        )
    return endpoint


def _is_host(name: str | None) -> bool:
    """Tell whether a name can be looked up: one in other letters must be written as it is sent (`xn--…`)."""
    if not name or not name.isascii():
        return False
    return ":" in name or all(0 < len(label) < 64 for label in name.removesuffix(".").split("."))


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _from_variable(name: str, text: str, variable: str) -> object:
    """Return what a variable of the environment says as the setting has it; "" stands for the default."""
    kinds = _TYPES[name]
    if str in kinds:
        return text.strip()
    if not text.strip():
        return DEFAULT_TIMEOUT_SECONDS if float in kinds else 0
    if re.fullmatch(r"[0-9]{1,12}", text.strip()):
        return int(text)
    if float in kinds and re.fullmatch(r"[0-9]{1,9}\.[0-9]{1,9}", text.strip()):
        return float(text)
    raise WrongUsage(f"{variable} is no number.", f"It is {'seconds' if float in kinds else 'tokens'}: {variable}=8192")


def _checked(name: str, value: object, where: str) -> object:
    """Return a setting that can be used.

    Raises:
        WrongUsage: it cannot.
    """
    if isinstance(value, bool) or not isinstance(value, _TYPES[name]):
        raise WrongUsage(f"{where}: {name} must be a {'text' if str in _TYPES[name] else 'number'}.")
    if isinstance(value, str) and (len(value) > _MAX_CHARACTERS or not value.isprintable()):
        raise WrongUsage(f"{where}: {name} is too long, or has characters that cannot be.")
    if name == "endpoint":
        return _checked_url(str(value), where)
    if name == "key" and not str(value).isascii():
        raise WrongUsage(f"{where}: the key has characters that no key has.")
    if name == "language" and value not in ("", *LANGUAGES):
        raise WrongUsage(
            f"{where}: {str(value)[:20]!r} is no language of prompts.", f"There are {', '.join(LANGUAGES)}."
        )
    if name == "window_tokens" and value and not _MIN_WINDOW <= int(str(value)) <= _MAX_WINDOW:
        raise WrongUsage(f"{where}: a window has {_MIN_WINDOW} to {_MAX_WINDOW:,} tokens.")
    if name == "timeout_seconds":
        seconds = float(str(value))
        if not 0 < seconds <= _MAX_TIMEOUT_SECONDS:
            raise WrongUsage(f"{where}: a timeout is more than 0 and at most {_MAX_TIMEOUT_SECONDS:,.0f} seconds.")
        return seconds
    return value


def _checked_url(url: str, where: str) -> str:
    if not url or url.startswith(SCRIPT):
        return url
    hint = "It looks like http://127.0.0.1:8080/v1"
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises for what is no port
    except ValueError:
        raise WrongUsage(f"{where}: the endpoint is no URL.", hint) from None
    if parts.username is not None or parts.password is not None:
        raise WrongUsage(f"{where}: an endpoint has no user and password in it.", "The key is a setting of its own.")
    if parts.scheme not in ("http", "https") or not _is_host(parts.hostname) or set(url) & set(" ?#"):
        raise WrongUsage(f"{where}: the endpoint must be an http or https URL without ? and #.", hint)
    return url.rstrip("/")


def _read_config(path: Path) -> dict[str, object]:
    """Return the settings of a configuration, {} when there is none."""
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_CONFIG_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise WrongUsage(f"{path} cannot be read: {error.strerror}.", "Look at its permissions.") from None
    if len(data) > _MAX_CONFIG_BYTES:
        raise WrongUsage(f"{path} is over {_MAX_CONFIG_BYTES:,} bytes.", "It holds a few lines.")
    try:
        text = data.decode("utf-8-sig")
        table = tomllib.loads(text).get(_TABLE, {})
    except UnicodeDecodeError:
        raise WrongUsage(f"{path} is not UTF-8.", "Save it as UTF-8.") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        where = re.search(r"\(at [a-z0-9, ]{1,60}\)", str(error))  # the rest may quote a key
        place = f" {where[0]}" if where else ""
        raise WrongUsage(f"{path} is not TOML{place}.", "docs/models.md shows one.") from None
    if not isinstance(table, dict):
        raise WrongUsage(f"{path}: {_TABLE} must be a table.", f"Begin it with [{_TABLE}].")
    unknown = next((name for name in table if name not in _TYPES), None)
    if unknown is not None:
        place = f"{path}, line {_line_of(text, unknown)}"
        raise WrongUsage(f"{place}: there is no setting {unknown[:40]!r}.", f"Settings: {', '.join(_TYPES)}.")
    return {name: _checked(name, value, f"{path}, line {_line_of(text, name)}") for name, value in table.items()}


def _line_of(text: str, name: str) -> int:
    """Return on which line a setting stands, from 1; 1 when that cannot be told."""
    lines = (number for number, line in enumerate(text.splitlines(), 1) if line.lstrip(" \t\"'").startswith(name))
    return next(lines, 1)
