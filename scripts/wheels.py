"""Fetch the wheels that Pyodide's lock names into a folder, each checked against the lock's sha256.

usage: wheels.py LOCK FOLDER PYODIDE_VERSION NAME...

A wheel comes from the first place that has it with the right sum: the folder itself, Pyodide's CDN,
or the Python package `open-webui`, whose wheel carries the same files. That one is 106 MB; only the
members asked for are read, by HTTP range requests. Exits 1 with one line for each wheel not had.
"""
import hashlib
import io
import json
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path

CARRIER = "open-webui==0.12.4"
CARRIER_FOLDER = "open_webui/frontend/pyodide/"
TIMEOUT_S = 30


class RangeFile(io.RawIOBase):
    """A file at a URL, read by range requests; what `zipfile` needs and no more."""

    def __init__(self, url: str):
        self.url = url
        self.position = 0
        head = urllib.request.Request(url, method="HEAD")
        with urllib.request.urlopen(head, timeout=TIMEOUT_S) as response:
            self.size = int(response.headers["Content-Length"])

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self.position, io.SEEK_END: self.size}[whence]
        self.position = base + offset
        return self.position

    def tell(self) -> int:
        return self.position

    def readinto(self, buffer: memoryview) -> int:
        last = min(self.position + len(buffer), self.size) - 1
        if last < self.position:
            return 0
        request = urllib.request.Request(self.url, headers={"Range": f"bytes={self.position}-{last}"})
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:
            if response.status != 206:
                raise OSError(f"{self.url} does not answer range requests")
            data = response.read()
        buffer[: len(data)] = data
        self.position += len(data)
        return len(data)


def from_cdn(version: str) -> Callable[[str], bytes]:
    def fetch(file_name: str) -> bytes:
        url = f"https://cdn.jsdelivr.net/pyodide/v{version}/full/{file_name}"
        with urllib.request.urlopen(url, timeout=TIMEOUT_S) as response:
            return response.read()

    return fetch


def from_carrier() -> Callable[[str], bytes]:
    archive: list[zipfile.ZipFile] = []  # opened by the first fetch

    def fetch(file_name: str) -> bytes:
        if not archive:
            pages = io.BufferedReader(RangeFile(carrier_url()), buffer_size=1 << 20)
            archive.append(zipfile.ZipFile(pages))
        return archive[0].read(CARRIER_FOLDER + file_name)

    return fetch


def carrier_url() -> str:
    """Ask pip where it would download the carrier from."""
    with tempfile.TemporaryDirectory() as target:
        command = [
            sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps", "--ignore-installed",
            "--report", "-", "--only-binary", ":all:", "--python-version", "3.12", "--target", target, CARRIER,
        ]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"pip does not find {CARRIER}: {done.stderr.strip().splitlines()[-1]}")
    return json.loads(done.stdout)["install"][0]["download_info"]["url"]


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def obtain(path: Path, sha256: str, sources: dict[str, Callable[[str], bytes]]) -> list[str]:
    """Leave the wheel at `path`; return why each source failed, or nothing when it is there."""
    if path.exists() and digest(path.read_bytes()) == sha256:
        return []
    failures = []
    for name, fetch in sources.items():
        try:
            data = fetch(path.name)
        except (OSError, KeyError, zipfile.BadZipFile) as error:
            failures.append(f"{name}: {error}")
            continue
        if digest(data) != sha256:
            failures.append(f"{name}: wrong sha256 {digest(data)}")
            continue
        path.write_bytes(data)
        print(f"    {path.name} from {name}, {len(data):,} bytes")
        return []
    return failures


def main(lock_path: str, folder: str, version: str, *names: str) -> int:
    packages = json.loads(Path(lock_path).read_text())["packages"]
    sources = {"Pyodide's CDN": from_cdn(version), CARRIER: from_carrier()}
    Path(folder).mkdir(parents=True, exist_ok=True)
    missing = 0
    for name in names:
        package = packages[name]
        failures = obtain(Path(folder, package["file_name"]), package["sha256"], sources)
        if failures:
            missing += 1
            print(f"{package['file_name']}: " + "; ".join(failures), file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
