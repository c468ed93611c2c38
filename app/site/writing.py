"""The whole site as files, for any web server: `hotdice build-docs FOLDER`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from app.api.asyncapi import document as streams
from app.api.docs import reference, reference_files
from app.site.assets import ASSETS, INDEX, asset
from app.site.site import Site

ENDING = ".html"


def write(folder: Path, document: dict[str, Any]) -> int:
    """
    Write every page, and what they load.

    Returns: how many pages.
    """
    site = Site(lambda: document, ending=ENDING)
    files: dict[str, bytes] = {name: asset(name) for name in ASSETS}
    pages = {each: site.page(each) for each in site.addresses()}
    files |= {f"{each or 'index'}{ENDING}": text for each, text in pages.items() if text}
    files[INDEX] = site.index()
    files[f"api{ENDING}"] = reference("openapi.json")
    files |= {f"api/{name}": text for name, text in reference_files().items()}
    for name, each in (("openapi", document), ("asyncapi", streams(document))):
        files[f"{name}.json"] = json.dumps(each, ensure_ascii=False).encode()
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    return len(pages)
