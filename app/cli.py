"""
The program `hotdice`. `serve` starts without what reads command lines: 3 MiB that a server would
keep for good. All else is `app.command_line`.
"""

from __future__ import annotations

import os
import sys

FAILED = 1
ASKED_WRONGLY = 2
NOT_STARTED = 3


def main() -> None:
    """The entry point."""
    try:
        if sys.argv[1:] == ["serve"]:
            sys.exit(serve())
        from app.command_line import cli

        cli(prog_name="hotdice")
    except Exception as error:  # a fault of ours; its trace is for who asks for it
        if os.environ.get("HOTDICE_LOG_LEVEL", "").lower() == "debug":
            raise
        kind = type(error).__name__
        say(f"Failed ({kind}); HOTDICE_LOG_LEVEL=debug shows where.")
        sys.exit(FAILED)


def serve() -> int:
    """Serves until told to stop. Returns the exit status."""
    from app.settings import UnsafeSettings, read_settings

    try:
        settings = read_settings()
    except UnsafeSettings as error:
        say(str(error))
        return ASKED_WRONGLY
    from app import serving

    try:
        serving.serve(settings)
    except serving.CouldNotStart as error:
        say(str(error))
        return NOT_STARTED
    except KeyboardInterrupt:
        pass
    return 0


def say(sentence: str) -> None:
    """One line on standard error."""
    sys.stderr.write(f"hotdice: {sentence}\n")


if __name__ == "__main__":
    main()
