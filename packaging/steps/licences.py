# SPDX-License-Identifier: Apache-2.0
"""What is in the program, with version and licence: libraries of Debian, read from the link command, the headers that
were included and the copyright files, and packages of npm, read from what the dashboard's bundle contains."""

import gzip
import json
import re
from pathlib import Path

from common import ROOT, fail, run

# Presets that link the libraries of another system, which tools/arm64_sysroot unpacks.
SYSROOTS = {"portable-arm64": ROOT / "build/sysroot-arm64"}
# Names of licences in Debian's copyright files → SPDX.
NAMES = {"apache-2.0": "Apache-2.0", "expat": "MIT", "bsd-2-clause": "BSD-2-Clause", "bsd-3-clause": "BSD-3-Clause",
         "bsd-3-google": "BSD-3-Clause", "cc0-1.0": "CC0-1.0", "public-domain": "LicenseRef-public-domain",
         "expat with embedded exception": "MIT AND LicenseRef-fmt-exception",
         "bsd-3-clause or gpl-2": "BSD-3-Clause OR GPL-2.0-only"}
# The copyright files of GCC are prose; the runtime library exception is what the programs that it compiles rely on.
PROSE = {"libstdc++-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1", "libgcc-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1"}


def copyright_file(package, preset=None):
    path = SYSROOTS.get(preset, Path("/")) / f"usr/share/doc/{package}/copyright"
    return path if path.exists() else fail(f"expected {path}: the licence of what is linked")


def version(package, preset):
    """Of the package that the preset links. A sysroot is unpacked only: its changelogs tell."""
    if preset not in SYSROOTS:
        return run("dpkg-query", "-W", "-f=${Version}\n", package).splitlines()[0]
    folder = SYSROOTS[preset] / "usr/share/doc" / package
    for path in (folder / "changelog.Debian.gz", folder / "changelog.gz"):
        if path.exists():
            first = gzip.decompress(path.read_bytes()).decode(errors="replace").splitlines()[0]
            return re.search(r"\(([^)]+)\)", first).group(1)
    return fail(f"expected a changelog in {folder}: the version of what is linked")


def licence(package):
    """Of the whole package, as its authors give it: the first paragraph of Files."""
    if package in PROSE:
        return PROSE[package]
    text = copyright_file(package).read_text(errors="replace")
    for paragraph in re.split(r"\n\s*\n", text):
        found = re.search(r"^License:[ \t]*(.+)$", paragraph, re.M)
        if found and re.search(r"^Files:\s*\*\s*$", paragraph, re.M):
            name = found.group(1).strip().lower()
            return NAMES.get(name) or fail(f"expected a known licence of {package}, found {name}",
                                           "add it to NAMES in packaging/steps/licences.py")
    fail(f"expected Files: * in {copyright_file(package)}")


def owners(paths):
    """The packages that own these files."""
    lines = run("dpkg", "-S", *sorted({str(Path(path).resolve()) for path in paths})).splitlines()
    return {line.split(":")[0] for line in lines}


def linked(preset):
    """Packages whose code is in the program of this preset: static libraries, and headers with code. For another
    architecture they are those of this one."""
    preset = "portable" if preset in SYSROOTS else preset
    folder = ROOT / "build" / preset
    command = run("ninja", "-C", folder, "-t", "commands", "enfold").splitlines()[-1]
    libraries = [word for word in command.split() if re.fullmatch(r"/usr/lib/\S+\.(a|so)", word)]
    headers = set(re.findall(r"^\s+(/usr/include/\S+)", run("ninja", "-C", folder, "-t", "deps"), re.M))
    system = ("/usr/include/x86_64-linux-gnu/", "/usr/include/asm-generic", "/usr/include/linux", "/usr/include/c++")
    found = owners([*libraries, *(path for path in headers if not path.startswith(system))])
    return found - {"libc6-dev", "linux-libc-dev"}


def bundled(preset):
    """The packages of npm in the page of the dashboard: name, version, licence, and its text with the copyright."""
    rows = json.loads((ROOT / "build" / preset / "web/bundled.json").read_text())
    for row in rows:
        found = sorted((ROOT / "web/node_modules" / row["name"]).glob("LICEN[CS]E*"))
        row["text"] = found[0].read_text().strip() if found else fail(f"expected the licence of {row['name']} in web/")
    return rows


def components(preset, portable):
    """Rows of name, version, licence and whether it is linked statically, sorted by name."""
    names = linked(preset) | (set(PROSE) if portable else set())
    headers_only = ("libcli11-dev", "libexpected-dev", "libtomlplusplus-dev")
    return [{"name": name, "version": version(name, preset), "licence": licence(name),
             "static": portable or name in headers_only} for name in sorted(names)]


def notices(preset):
    """The text that has to go with a program that these libraries are part of."""
    parts = ["This program contains the libraries named below, as packaged by Debian 12 and npm, and token tables. Each is\n"
             "followed by its licence: of a library of Debian, the copyright file of its package.\n"]
    texts = [(row["name"], row["version"], copyright_file(row["name"], preset).read_text(errors="replace"))
             for row in components(preset, True)]
    texts += [(row["name"], row["version"], row["text"]) for row in bundled(preset)]
    for name, number, text in texts:
        title = f"{name} {number}"
        parts.append(f"{title}\n{'=' * len(title)}\n\n{text.strip()}\n")
    data = (ROOT / "data/tokens/README.md").read_text()
    parts.append("Token tables\n============\n\n" + data[data.index("## Licences"):data.index("## Layouts")].strip() + "\n")
    return "\n\n".join(parts)
