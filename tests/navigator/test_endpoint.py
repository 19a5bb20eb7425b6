"""Where a model is asked: option before FOREST_ before OPENAI_ before the configuration, and never a forest."""

from __future__ import annotations

from pathlib import Path

import pytest

from forest.errors import WrongUsage
from navigator.endpoint import DEFAULT_TIMEOUT_SECONDS, Endpoint, config_path, endpoint_for

HERE = "http://127.0.0.1:8080/v1"
THERE = "https://models.example/v1"
KEY = "llave-secreta"


def configured(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "config.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def read(tmp_path: Path, text: str | bytes = "", /, **options: object) -> Endpoint | None:
    return endpoint_for(config=configured(tmp_path, text), **{"environment": {}, **options})  # type: ignore[arg-type]


def test_nothing_named_is_no_endpoint_even_if_there_is_a_key(tmp_path: Path) -> None:
    assert endpoint_for(environment={"OPENAI_API_KEY": KEY}, config=tmp_path / "no.toml") is None


FILE = f'[model]\nendpoint = "{THERE}"\nmodel = "archivo"\nkey = "k4"\nwindow_tokens = 4000\nlanguage = "en"\n'
OPENAI = {"OPENAI_BASE_URL": THERE, "OPENAI_MODEL": "openai", "OPENAI_API_KEY": "k3"}
FOREST = {"FOREST_ENDPOINT": THERE, "FOREST_MODEL": "forest", "FOREST_API_KEY": "k2", "FOREST_WINDOW": "2000"}


@pytest.mark.parametrize(
    ("options", "environment", "model", "key", "window"),
    [
        ({}, {}, "archivo", "k4", 4000),
        ({}, OPENAI, "openai", "k3", 4000),
        ({}, OPENAI | FOREST, "forest", "k2", 2000),
        ({"model": "opción", "key": "k1"}, OPENAI | FOREST, "opción", "k1", 2000),
    ],
)
def test_each_setting_comes_from_the_first_that_has_it(
    tmp_path: Path, options: dict[str, str], environment: dict[str, str], model: str, key: str, window: int
) -> None:
    endpoint = read(tmp_path, FILE, environment=environment, **options)
    assert endpoint is not None
    assert (endpoint.url, endpoint.model, endpoint.key, endpoint.window_tokens) == (THERE, model, key, window)
    assert endpoint.language == "en"


def test_what_the_configuration_says_of_its_endpoint_is_not_said_of_another(tmp_path: Path) -> None:
    assert read(tmp_path, FILE, url=HERE) == Endpoint(HERE, language="en")


def test_a_configuration_without_endpoint_holds_for_any(tmp_path: Path) -> None:
    assert read(tmp_path, '[model]\nkey = "k"\ntimeout_seconds = 7', url=HERE) == Endpoint(
        HERE, key="k", timeout_seconds=7.0
    )


def test_an_empty_variable_means_none(tmp_path: Path) -> None:
    environment = {"FOREST_API_KEY": "", "OPENAI_API_KEY": KEY, "FOREST_MODEL": "", "FOREST_WINDOW": ""}
    assert read(tmp_path, FILE, environment=environment) == Endpoint(THERE, language="en")
    assert read(tmp_path, FILE, environment={"FOREST_ENDPOINT": ""}) is None


def test_a_slash_at_the_end_is_no_difference(tmp_path: Path) -> None:
    assert read(tmp_path, url=f"{HERE}/") == Endpoint(HERE)
    assert Endpoint(HERE).timeout_seconds == DEFAULT_TIMEOUT_SECONDS


def test_no_repr_shows_a_key() -> None:
    assert KEY not in repr(Endpoint(HERE, key=KEY))


@pytest.mark.parametrize(
    "url",
    [
        "127.0.0.1:8080", "ftp://a/v1", "http://", "http://a b/v1", "http://a:99999/v1", "http://yo:clave@a/v1",
        "https://a/v1?key=1", "https://a/v1#x", "http://[::1/v1",
        "file:///etc/passwd", "http://a..b/v1", "http://.../v1", "http://ñandú.mx/v1",
        "http://١٢٧.0.0.1/v1", "http://a/v1?", f"http://{'a' * 64}/v1", "https://a/\x1b[2J",
        "x" * 3_000,
    ],
)  # fmt: skip
def test_what_is_no_url_of_an_api_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(WrongUsage) as raised:
        read(tmp_path, url=url)
    assert "--endpoint" in str(raised.value)
    assert "clave" not in str(raised.value)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/v1", "http://127.9.9.9/v1", "http://[::1]:1/v1", "http://localhost"]
)
def test_a_key_may_go_unencrypted_within_this_machine(tmp_path: Path, url: str) -> None:
    endpoint = read(tmp_path, url=url, key=KEY)
    assert endpoint is not None
    assert endpoint.is_local


@pytest.mark.parametrize(
    "url",
    [
        "http://192.168.1.5:8080/v1",
        "http://example.org/v1",
        "HTTP://example.org/v1",
        "http://127.0.0.1.example.org/v1",
        "http://2130706433/",
    ],
)
def test_a_key_may_not_go_unencrypted_to_another_machine(tmp_path: Path, url: str) -> None:
    with pytest.raises(WrongUsage, match="unencrypted") as raised:
        read(tmp_path, url=url, key=KEY)
    assert KEY not in str(raised.value)
    assert read(tmp_path, url=url) is not None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[model]\nendpoint = \n", ("is not TOML", "line 2")),
        ("[model]\nkey = 'llave-secreta\n", ("is not TOML", "at end of document")),
        ("model = 7", ("model must be a table",)),
        ("[model]\n\nmodell = 'x'", ("line 3", "'modell'", "Settings: endpoint")),
        ("[model]\nendpoint = 7", ("line 2", "endpoint must be a text")),
        ("[model]\nendpoint = 'nada'", ("line 2", "http or https")),
        ("[model]\nwindow_tokens = 'x'", ("line 2", "window_tokens must be a number")),
        ("[model]\nwindow_tokens = true", ("line 2", "window_tokens must be a number")),
        ("[model]\nwindow_tokens = 3", ("line 2", "512 to")),
        ("[model]\ntimeout_seconds = -1", ("line 2", "more than 0")),
        ("[model]\ntimeout_seconds = nan", ("line 2", "more than 0")),
        ("[model]\nlanguage = 'fr'", ("line 2", "es, en")),
        ("[model]\nkey = 'señal'", ("line 2", "characters that no key has")),
        (b"[model]\nkey = '\xff'", ("is not UTF-8",)),
        ("#" * 70_000, ("over 65,536 bytes",)),
        ("a = " + "[" * 20_000, ("is not TOML",)),
    ],
)
def test_a_configuration_that_cannot_be_used_says_where(tmp_path: Path, text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(WrongUsage) as raised:
        read(tmp_path, text)
    for word in ("config.toml", *words):
        assert word in str(raised.value)
    assert KEY not in str(raised.value)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("FOREST_WINDOW", "mucho"),
        ("FOREST_WINDOW", "-5"),
        ("FOREST_WINDOW", "٣٣٣٣"),
        ("FOREST_TIMEOUT", "1e9"),
        ("FOREST_LANGUAGE", "fr"),
    ],
)
def test_a_variable_that_cannot_be_used_is_named(tmp_path: Path, variable: str, value: str) -> None:
    with pytest.raises(WrongUsage, match=variable):
        read(tmp_path, environment={"FOREST_ENDPOINT": HERE, variable: value})


def test_the_configuration_is_the_users_own_and_no_file_of_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "mine"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    configured(tmp_path / "here", FILE)
    (tmp_path / "here" / ".env").write_text(f"FOREST_ENDPOINT={HERE}\n")
    assert endpoint_for(environment={}) is None
    config_path().parent.mkdir(parents=True)
    configured(config_path().parent, FILE)
    assert endpoint_for(environment={}) == Endpoint(THERE, "archivo", "k4", window_tokens=4000, language="en")
