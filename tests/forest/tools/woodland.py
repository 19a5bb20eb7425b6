"""A forest for the tools: dated and undated documents of three bodies, laws, a rule with versions, a norm."""

from __future__ import annotations

from tests.conftest import node

BODIES = {
    "conagua": ("Comisión Nacional del Agua", "[CONAGUA]"),
    "inegi": ("Instituto Nacional de Estadística y Geografía", "[INEGI]"),
    "salud": ("Secretaría de Salud", "[SSA]"),
}
WORDS = ("agua", "presa", "multa", "censo", "vacuna", "riego", "cuota", "permiso", "índice", "plazo")


def issued(body: str) -> str:
    return f"[{{kind: issued_by, to: {body}, scent: la emite, basis: lo emite}}]"


def act(number: int) -> str:
    """A publication: every third undated, every fourth of no body, words by its number."""
    body = [*BODIES][number % 3] if number % 4 else ""
    said = " ".join(WORDS[(number * step) % len(WORDS)] for step in (1, 3, 7))
    fields = {
        "title": f"{('Acuerdo', 'Aviso', 'Decreto')[number % 3]} {number} sobre {WORDS[number % len(WORDS)]}",
        "summary": f"Trata de {said}.",
        "published": f"20{10 + number % 15}-0{1 + number % 9}-1{number % 9}" if number % 3 else "",
        "section": ("MAT", "VES", "")[number % 3],
        "tags": f"[{WORDS[number % 4]}]",
        "edges": issued(body) if body else "",
    }
    paragraphs = "\n\n".join(f"{said.capitalize()} {WORDS[(number + at) % len(WORDS)]} {at}." for at in range(4))
    return node(f"acto-{number:02}", f"# Acto {number}\n\n{paragraphs}\n\nlo emite {body}", **fields)


FILES: dict[str, str] = {
    "index.md": node("raiz", "# Raíz", kind="topic"),
    **{f"actos/{number:02}.md": act(number) for number in range(36)},
    **{
        f"cuerpos/{body}.md": node(body, f"# {title}", kind="entity", title=title, aliases=aliases)
        for body, (title, aliases) in BODIES.items()
    },
    "ley/index.md": node(
        "ley",
        "# Ley del Riego\n\nRige el riego y la presa.",
        kind="instrument",
        title="Ley del Riego",
        aliases="[LR]",
        published="2001-02-03",
    ),
    "ley/art-5.md": node("ley/art-5", "# Artículo 5\n\nEl riego paga cuota.", kind="provision", title="LR, artículo 5"),
    "ley/art-5/a.md": node(
        "ley/art-5@2001-02-03",
        "# Artículo 5\n\nEl riego paga una cuota de diez pesos.",
        kind="provision",
        title="LR, artículo 5, texto de 2001",
        in_force='{from: 2001-02-04, to: 2015-01-01, basis: "diez pesos"}',
    ),
    "ley/art-5/b.md": node(
        "ley/art-5@2015-01-01",
        "# Artículo 5\n\nEl riego paga una cuota de veinte pesos.",
        kind="provision",
        title="LR, artículo 5, texto de 2015",
        in_force='{from: 2015-01-01, to: open, basis: "veinte pesos"}',
    ),
    "otra/index.md": node(
        "otra", "# Ley de la Veda\n\nRige la veda.", kind="instrument", title="Ley de la Veda", published="2003-02-03"
    ),
    "otra/art-5.md": node(
        "otra/art-5", "# Artículo 5\n\nLa veda dura un plazo.", kind="provision", title="LV, artículo 5"
    ),
    "norma.md": node(
        "nom-001-agua-2020",
        "# NOM-001-AGUA-2020\n\n## 4. Objeto\n\nMide el agua.\n\n## 5. Obligaciones\n\n5.1 Medir el agua.\n\n"
        "5.2 Informar el índice.\n\n5.20 Otra cosa.\n\n## 6. Vigilancia\n\nLa vigila la comisión.",
        kind="instrument",
        title="NOM-001-AGUA-2020, medición del agua",
        aliases="[NOM-001-AGUA-2020]",
        published="2020-05-05",
    ),
}
