"""Files of a study folder: written so that each is whole at all times, read so that damage is noticed.

A shard is a Parquet file. Its schema's metadata say which shard of which layer it is, how many rows it has, and which
versions of the solver made them, from which row on; they carry a checksum of all that and of the rows' values. (The
format's own checksums, which are there too, cover the pages but not what describes them.)
"""

from __future__ import annotations

import contextlib
import fcntl
import io
import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeAlias

from solitaire_lab.errors import InputError
from solitaire_lab.study.rows import joined, schema

if TYPE_CHECKING:
    import pyarrow as pa

Versions: TypeAlias = list[tuple[int, str]]
"""From which row on which version of the solver made a shard's rows."""

STUDY_FILE = "study.toml"
LOCK_FILE = ".lock"
METADATA = b"solitaire_lab"
CHECKSUM = b"solitaire_lab_crc32"
"""Of the metadata and the rows."""
TEMPORARY = ".tmp"
DAMAGED = ".damaged"

MOST_ROWS = 2**20


class DamagedError(Exception):
    """A file is not what it was when it was written; the text says in what."""


def layer_folder(folder: Path, layer: int) -> Path:
    """Return the folder of a layer's shards."""
    return folder / f"layer-{layer}"


def shard_path(folder: Path, layer: int, shard: int) -> Path:
    """Return the path of a shard."""
    return layer_folder(folder, layer) / f"shard-{shard:06}.parquet"


def shards_there(folder: Path, layer: int) -> list[int]:
    """Return the numbers of a layer's shards in order."""
    names = [path.stem for path in layer_folder(folder, layer).glob("shard-*.parquet")]
    return sorted(int(name.removeprefix("shard-")) for name in names if name.removeprefix("shard-").isdecimal())


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Make a folder if need be, and keep other runs out of it.

    Raises
    ------
    InputError
        If the folder cannot be made or written, or another run works on it.
    """
    file: IO[str] | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / LOCK_FILE).open("a+", encoding="utf-8")
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
    except BlockingIOError:
        assert file is not None
        with file:
            file.seek(0)
            process = file.read(20)
        raise InputError(
            f"folder {folder} is in use by another run (process {process}); wait for its end, or choose another folder"
        ) from None
    except FileExistsError:
        raise InputError(f"{folder}: expected a folder, and this is a file") from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write to folder {folder}: {getattr(error, 'strerror', None) or error}") from None
    with file:
        yield


def write_file(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: under a temporary name, to the disk, then renamed.

    Raises
    ------
    OSError
        With a text that says what to do.
    """
    temporary = path.with_name(path.name + TEMPORARY)
    try:
        path.parent.mkdir(exist_ok=True)
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        directory = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise OSError(
            error.errno,
            f"cannot write {path}: {error.strerror or error}; what was stored before is kept, "
            "and the same command goes on from there",
        ) from None


def shard_bytes(table: pa.Table, layer: int, shard: int, versions: Versions) -> bytes:
    """Return a shard as a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = joined([table]).combine_chunks()
    about = json.dumps({"layer": layer, "shard": shard, "rows": table.num_rows, "versions": versions}).encode()
    metadata = {METADATA: about, CHECKSUM: str(_checksum(table, about))}
    table = table.replace_schema_metadata(metadata)
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        compression="zstd",
        compression_level=6,
        use_dictionary=["verdict", "reason", "stage", "layer"],
        column_encoding=dict.fromkeys(("seed", "states", "moves"), "DELTA_BINARY_PACKED"),
        write_page_checksum=True,
    )
    content: bytes = sink.getvalue().to_pybytes()
    return content


def read_shard(path: Path, layer: int, shard: int) -> tuple[pa.Table, Versions]:
    """Read a shard.

    Raises
    ------
    DamagedError
        If it is not whole, or not the shard that its name says.
    InputError
        If it cannot be read at all.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    try:
        table = pq.read_table(io.BytesIO(content), page_checksum_verification=True)
        table.validate(full=True)
        metadata = table.schema.metadata or {}
        about = json.loads(metadata[METADATA])
        versions = [(int(row), str(version)) for row, version in about["versions"]]
        named = (about["layer"], about["shard"], about["rows"])
        checksum = int(metadata[CHECKSUM])
    except (pa.ArrowException, OSError, KeyError, ValueError, TypeError, MemoryError) as error:
        raise DamagedError(f"not a whole shard: {error}".splitlines()[0]) from None
    table = table.replace_schema_metadata(None)
    if not table.schema.equals(schema()):
        raise DamagedError("its columns are not those of a study")
    if named != (layer, shard, table.num_rows) or not 0 < table.num_rows <= MOST_ROWS:
        raise DamagedError("it has not the rows that it should have")
    if checksum != _checksum(table, metadata[METADATA]):
        raise DamagedError("its rows are not those that were written")
    return table, versions


def stored_table(path: Path, layer: int, shard: int) -> pa.Table:
    """Read the rows of a shard that were whole before.

    Raises
    ------
    InputError
        If they are not any more.
    """
    try:
        return read_shard(path, layer, shard)[0]
    except DamagedError as damage:
        raise damaged(path, damage) from None


def damaged(path: Path, damage: DamagedError) -> InputError:
    """Return the complaint about a damaged shard."""
    return InputError(f"{path} is damaged ({damage}); the study's command with the same --out computes its deals again")


def _checksum(table: pa.Table, about: bytes) -> int:
    """Return the CRC-32 of a shard's metadata and of the values in its columns, however they are laid out."""
    import numpy as np
    import pyarrow as pa

    checksum = zlib.crc32(about)
    for column in table.combine_chunks().columns:
        chunk = column.combine_chunks()
        chunk = chunk.chunk(0) if isinstance(chunk, pa.ChunkedArray) else chunk
        if pa.types.is_dictionary(chunk.type):
            words, places = np.unique(np.array(chunk.dictionary.to_pylist(), dtype=str), return_inverse=True)
            codes = chunk.indices.fill_null(-1).to_numpy().astype(np.int8)
            values = np.append(places.astype(np.int8), np.int8(-1))[codes]
            used = np.unique(values[values >= 0])
            checksum = zlib.crc32("\n".join(words[used]).encode(), checksum)
            values = np.searchsorted(used, values).astype(np.int8) - (values < 0)
        else:
            values = (chunk.fill_null(-1) if chunk.null_count else chunk).to_numpy()
        checksum = zlib.crc32(np.ascontiguousarray(values).tobytes(), checksum)
    return checksum
