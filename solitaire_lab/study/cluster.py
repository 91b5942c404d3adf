"""Clusters: studies on the workers of dask.distributed, an optional package."""

from __future__ import annotations

import contextlib
import logging
import sys
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor

from solitaire_lab.errors import InputError
from solitaire_lab.solver import Stop
from solitaire_lab.study.pool import interrupts_blocked

LOCAL = "local"
"""In place of an address: a cluster of worker processes on this machine."""

CONNECT_SECONDS = 10


@contextlib.contextmanager
def dask_workers(address: str, jobs: int) -> Iterator[tuple[Executor, Stop, int]]:
    """Connect to a cluster, or start one on this machine.

    A worker that dies loses nothing: its tasks are done again by others.

    Parameters
    ----------
    address
        The scheduler's, such as ``tcp://10.0.0.1:8786``, or ``"local"``.
    jobs
        Worker processes of a local cluster.

    Yields
    ------
    executor, stop, threads
        `threads` is how many deals the cluster solves at once. The stop does not reach the workers.

    Raises
    ------
    InputError
        If dask.distributed is not installed, the cluster cannot be reached, or it has no workers.
    """
    try:
        import distributed
    except ImportError:
        raise InputError("dask: expected the package dask.distributed; pip install 'solitaire-lab[dask]'") from None
    stop = Stop()
    with contextlib.ExitStack() as stack:
        target: object = address
        with interrupts_blocked():
            if address == LOCAL:
                target = stack.enter_context(
                    distributed.LocalCluster(
                        n_workers=jobs, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
                    )
                )
            try:
                client = stack.enter_context(distributed.Client(target, timeout=CONNECT_SECONDS))
            except (OSError, ValueError, TypeError) as error:
                raise InputError(f"dask: cannot reach a scheduler at {address!r:.80}: {error}") from None
        threads = sum(client.nthreads().values())
        if not threads:
            raise InputError(f"dask: the cluster at {address} has no workers")
        try:
            yield client.get_executor(), stop, threads
        finally:
            stop.set()


def lost_worker_errors() -> tuple[type[BaseException], ...]:
    """Return the errors that mean that workers were lost beyond repair; those of dask once it is loaded."""
    errors: list[type[BaseException]] = [BrokenExecutor, CancelledError]
    if "distributed" in sys.modules:
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError
        from distributed.comm.core import CommClosedError

        errors += [KilledWorker, FutureCancelledError, CommClosedError]
    return tuple(errors)
