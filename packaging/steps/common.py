# SPDX-License-Identifier: Apache-2.0
"""What the steps of tools/package share: places, the time that all files get, and archives whose bytes depend on
their content only."""

import gzip
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
OUT = ROOT / "build/package"
VERSION = (ROOT / "VERSION").read_text().strip()
ARCHITECTURES = {"x64": "portable", "arm64": "portable-arm64"}  # name in npm → preset


def fail(*lines):
    sys.exit("error: " + "\n".join(lines))


def run(*command, cwd=ROOT, quiet=False, **more):
    """Runs a command and returns its output; ends the program if it fails."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT if quiet else None, **more)
    if done.returncode != 0:
        fail(f"failed: {' '.join(map(str, command))}", done.stdout[-3000:])
    return done.stdout


def epoch():
    """Seconds of the last commit; SOURCE_DATE_EPOCH if it is set, for a tree without git."""
    if "SOURCE_DATE_EPOCH" not in os.environ:
        os.environ["SOURCE_DATE_EPOCH"] = run("git", "log", "-1", "--format=%ct").strip()
    return int(os.environ["SOURCE_DATE_EPOCH"])


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() if hasattr(hashlib, "file_digest") else \
            hashlib.sha256(file.read()).hexdigest()


def write(path, text, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    path.chmod(mode)


def compressed(data):
    """gzip without name and time."""
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as file:
        file.write(data)
    return buffer.getvalue()


def tar_gz(target, folder, prefix):
    """Packs a folder: sorted, owned by root, as old as the commit, with plain rights."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in [folder, *sorted(folder.rglob("*"))]:
            entry = archive.gettarinfo(path, arcname=str(Path(prefix) / path.relative_to(folder)))
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            entry.mtime = epoch()
            entry.mode = 0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644
            with open(path, "rb") if path.is_file() else io.BytesIO() as content:
                archive.addfile(entry, content if path.is_file() else None)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(compressed(buffer.getvalue()))


def program(preset):
    return ROOT / "build" / preset / "bin/enfold"


def stripped(source, target, tool="strip"):
    target.parent.mkdir(parents=True, exist_ok=True)
    run(tool, "--strip-unneeded", "--remove-section=.comment", "--remove-section=.note", "-o", target, source)
    target.chmod(0o755)


def generated():
    """Man pages and completions by their place below share/; empty if tools/generate_man_pages is not there."""
    folder, tool = ROOT / "build/debian/generated", ROOT / "tools/generate_man_pages"
    shutil.rmtree(folder, ignore_errors=True)  # a verb that was removed leaves no page
    if tool.exists():
        run(tool, "--program", program("debian"), "--out", folder)
    places = {path: f"man/man{path.suffix[1:]}/{path.name}" for path in sorted(folder.glob("man/*.[1-9]"))}
    for name, place in (("enfold.bash", "bash-completion/completions/enfold"),
                        ("_enfold", "zsh/vendor-completions/_enfold"),
                        ("enfold.fish", "fish/vendor_completions.d/enfold.fish")):
        if (folder / "completions" / name).exists():
            places[folder / "completions" / name] = place
    return {place: path.read_bytes() for path, place in places.items()}
