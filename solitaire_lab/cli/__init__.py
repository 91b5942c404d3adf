"""The program ``solitaire-lab``: reads arguments, calls the library, prints. No logic of its own.

Exit status: 0 done; 1 a check failed; 2 bad input, one message on standard error; 3 the system failed;
130 interrupted; 141 nobody reads the output any more. Whatever was finished before is printed.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor

from solitaire_lab.cli.arguments import Parser
from solitaire_lab.errors import InputError, near
from solitaire_lab.version import __version__

COMMANDS = {
    "games": "list the games",
    "show": "rules and options of a game in words; with a seed its board",
    "deal": "deal out numbered deals",
    "solve": "a verdict for each deal, proved",
    "verify": "replay the solutions in lines of 'solve --json --moves'",
    "study": "Monte Carlo winnability of a game, with its interval",
    "compare": "variants on the same deals, paired",
    "claims": "published figures of the games",
    "test-claim": "confront a published figure with simulation",
    "report": "tables and plots of a study that was kept, and how to reproduce it",
}
"""Each has a module of its name here, with ``add_arguments(parser)`` and ``run(arguments) -> int``."""

BAD_INPUT, SYSTEM_FAILED, INTERRUPTED, BROKEN_PIPE = 2, 3, 130, 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program.

    Parameters
    ----------
    argv
        Its arguments, without its name; those of the process if None.

    Returns
    -------
    int
        The exit status.
    """
    try:
        if sys.stdout is None:
            return _fail("standard output is closed", SYSTEM_FAILED)
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="backslashreplace")
        status = _dispatch(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
        return status
    except InputError as error:
        return _fail(str(error), BAD_INPUT)
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        _drop_output()
        return BROKEN_PIPE
    except OSError as error:
        _drop_output()
        return _fail(error.strerror or str(error), SYSTEM_FAILED)
    except MemoryError:
        return _fail("out of memory; a smaller --max-table or fewer --jobs need less", SYSTEM_FAILED)
    except BrokenExecutor as error:
        return _fail(f"a worker was lost: {error}", SYSTEM_FAILED)
    except RuntimeError as error:  # an error of the program itself, such as a solution that does not replay: be loud
        traceback.print_exc()
        return _fail(f"internal error: {error}", SYSTEM_FAILED)


def _dispatch(argv: list[str]) -> int:
    """Split the arguments at the command, and run it."""
    place = next((number for number, word in enumerate(argv) if not word.startswith("-")), len(argv))
    general = Parser(
        prog="solitaire-lab",
        usage="solitaire-lab [--quiet] COMMAND ...",
        description="Solvability research on solitaire card games.",
        epilog="commands:\n"
        + "\n".join(f"  {name:<12}{text}" for name, text in COMMANDS.items())
        + "\n\n'solitaire-lab COMMAND --help' says more of each.",
    )
    general.add_argument("--version", action="version", version=f"solitaire-lab {__version__}")
    try:
        general.read(argv[:place])
        if place == len(argv):
            raise InputError(f"expected a command: {', '.join(COMMANDS)} ('solitaire-lab --help' says more)")
        command = argv[place]
        if command not in COMMANDS:
            raise InputError(
                f"unknown command {command!r}; expected one of {', '.join(COMMANDS)}{near(command, COMMANDS)}"
            )
        module = importlib.import_module(f"solitaire_lab.cli.{command.replace('-', '_')}")
        parser = Parser(prog=f"solitaire-lab {command}", description=module.__doc__)
        module.add_arguments(parser)
        arguments = parser.read(argv[place + 1 :])
    except SystemExit as done:  # argparse has printed the help or the version
        return int(done.code or 0)
    arguments.quiet = arguments.quiet or "--quiet" in argv[:place]
    status: int = module.run(arguments)
    return status


def _fail(message: str, status: int) -> int:
    """Print one line on standard error, as far as there is one."""
    with contextlib.suppress(OSError, AttributeError):
        print("solitaire-lab: " + " ".join(message.splitlines()), file=sys.stderr, flush=True)
    return status


def _drop_output() -> None:
    """Send what is left in the output's buffer nowhere, so that the end of the process does not fail on it."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
