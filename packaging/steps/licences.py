# SPDX-License-Identifier: Apache-2.0
"""Which libraries of Debian are in the program, with version and licence: read from the link command, the headers
that were included, and the copyright files."""

import re
from pathlib import Path

from common import ROOT, fail, run

# Names of licences in Debian's copyright files → SPDX.
NAMES = {"apache-2.0": "Apache-2.0", "expat": "MIT", "bsd-2-clause": "BSD-2-Clause", "bsd-3-clause": "BSD-3-Clause",
         "bsd-3-google": "BSD-3-Clause", "cc0-1.0": "CC0-1.0", "public-domain": "LicenseRef-public-domain",
         "expat with embedded exception": "MIT AND LicenseRef-fmt-exception",
         "bsd-3-clause or gpl-2": "BSD-3-Clause OR GPL-2.0-only"}
# The copyright files of GCC are prose; the runtime library exception is what the programs that it compiles rely on.
PROSE = {"libstdc++-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1", "libgcc-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1"}


def copyright_file(package):
    path = Path(f"/usr/share/doc/{package}/copyright")
    return path if path.exists() else fail(f"expected {path}: the licence of what is linked")


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
    """Package → its version, of the packages that own these files."""
    lines = run("dpkg", "-S", *sorted({str(Path(path).resolve()) for path in paths})).splitlines()
    names = sorted({line.split(":")[0] for line in lines})
    return {name: run("dpkg-query", "-W", "-f=${Version}\n", name).splitlines()[0] for name in names}


def linked(preset):
    """Packages whose code is in the program of this preset: static libraries, and headers with code."""
    folder = ROOT / "build" / preset
    command = run("ninja", "-C", folder, "-t", "commands", "enfold").splitlines()[-1]
    libraries = [word for word in command.split() if re.fullmatch(r"/usr/lib/\S+\.(a|so)", word)]
    headers = set(re.findall(r"^\s+(/usr/include/\S+)", run("ninja", "-C", folder, "-t", "deps"), re.M))
    system = ("/usr/include/x86_64-linux-gnu/", "/usr/include/asm-generic", "/usr/include/linux", "/usr/include/c++")
    found = owners([*libraries, *(path for path in headers if not path.startswith(system))])
    return {name: version for name, version in found.items() if name not in ("libc6-dev", "linux-libc-dev")}


def components(preset, portable):
    """Rows of name, version, licence and whether it is linked statically, sorted by name."""
    rows = dict(linked(preset))
    if portable:
        rows |= {name: run("dpkg-query", "-W", "-f=${Version}", name) for name in PROSE}
    headers_only = ("libcli11-dev", "libexpected-dev", "libtomlplusplus-dev")
    return [{"name": name, "version": rows[name], "licence": licence(name),
             "static": portable or name in headers_only} for name in sorted(rows)]


def notices(preset):
    """The text that has to go with a program that these libraries are part of."""
    parts = ["This program contains the libraries named below, as packaged by Debian 12, and token tables. Each is\n"
             "followed by its licence: of a library, the copyright file of its package.\n"]
    for row in components(preset, True):
        title = f"{row['name']} {row['version']}"
        parts.append(f"{title}\n{'=' * len(title)}\n\n{copyright_file(row['name']).read_text(errors='replace').strip()}\n")
    data = (ROOT / "data/tokens/README.md").read_text()
    parts.append("Token tables\n============\n\n" + data[data.index("## Licences"):data.index("## Layouts")].strip() + "\n")
    return "\n\n".join(parts)
