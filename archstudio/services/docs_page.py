"""The OpenAPI document as one plain page that loads nothing from anywhere."""

import json
from html import escape
from typing import Any, Final

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""The page's Content-Security-Policy."""
_STYLE: Final = """\
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .25rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .875rem; }
pre { overflow: auto; padding: .75rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
.method { display: inline-block; min-width: 3.5rem; font-weight: 600; }
summary { cursor: pointer; }"""


def docs_page(document: dict[str, Any]) -> str:
    """The page for an OpenAPI document."""
    told = document["info"]
    parts = [
        _operation(path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    title, about = escape(told["title"]), escape(told.get("description", ""))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body>'
        f"<h1>{title}</h1><p>{about}</p>"
        '<p>The same for programs: <a href="/openapi.json">openapi.json</a></p>'
        f"{''.join(parts)}</body></html>"
    )


def _operation(path: str, method: str, operation: dict[str, Any]) -> str:
    head = f'<h2><span class="method">{escape(method.upper())}</span> <code>{escape(path)}</code></h2>'
    text = escape(operation.get("description") or operation.get("summary", ""))
    asked = {"parameters": operation.get("parameters"), "body": _schema(operation.get("requestBody"))}
    given = _schema(operation["responses"].get("200"))
    return f"{head}<p>{text}</p>{_folded('Request', asked)}{_folded('Answer', given)}"


def _schema(part: dict[str, Any] | None) -> Any:
    return None if part is None else part.get("content", {}).get("application/json", {}).get("schema")


def _folded(title: str, value: Any) -> str:
    if isinstance(value, dict):
        value = {key: inner for key, inner in value.items() if inner is not None}
    if not value:
        return ""
    text = escape(json.dumps(value, indent=2, ensure_ascii=False))
    return f"<details><summary>{title}</summary><pre>{text}</pre></details>"
