# SPDX-License-Identifier: Apache-2.0
"""npm/*.tgz: the package enfold, which is a launcher, and one package with the program for each platform."""

import json
import shutil

from common import ARCHITECTURES, OUT, ROOT, VERSION, generated, program, run, stripped, write
from licences import notices

NPM = ROOT / "packaging/npm"
GLIBC = "2.35"  # checked against the program by symbols.py


def platform_package(arch):
    name = f"enfold-linux-{arch}"
    return {"name": name, "version": VERSION, "description": f"The program of the package enfold, for Linux on {arch}",
            "homepage": "https://enfold.dev", "license": "Apache-2.0", "os": ["linux"], "cpu": [arch],
            "libc": ["glibc"], "preferUnplugged": True, "files": ["bin", "share", "THIRD-PARTY-NOTICES", "LICENSE"]}


def main_package():
    package = json.loads((NPM / "package.json").read_text())
    packed = {"name": package.pop("name"), "version": VERSION, **package}
    packed["optionalDependencies"] = {f"enfold-linux-{arch}": VERSION for arch in ARCHITECTURES}
    return packed


def dump(package):
    return json.dumps(package, indent=2) + "\n"


def stage_program(folder, arch):
    """bin, share and notices, as in the archive."""
    preset = ARCHITECTURES[arch]
    stripped(program(preset), folder / "bin/enfold", "strip" if arch == "x64" else "aarch64-linux-gnu-strip")
    for place, content in generated().items():
        write(folder / "share" / place, content)
    write(folder / "THIRD-PARTY-NOTICES", notices(preset))
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")


def pack(folder):
    """npm gives every file the same time, so the bytes depend on the content only."""
    (OUT / "npm").mkdir(parents=True, exist_ok=True)
    run("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", OUT / "npm", cwd=folder)


def build(work, architectures):
    main = work / "npm/enfold"
    write(main / "package.json", dump(main_package()))
    write(main / "bin/enfold.js", (NPM / "bin/enfold.js").read_text(), 0o755)
    shutil.copyfile(NPM / "README.md", main / "README.md")
    shutil.copyfile(ROOT / "LICENSE", main / "LICENSE")
    pack(main)
    for arch in architectures:
        folder = work / f"npm/enfold-linux-{arch}"
        write(folder / "package.json", dump(platform_package(arch)))
        write(folder / "README.md", f"The program of [enfold](https://enfold.dev) for Linux on {arch}, for glibc "
                                    f"{GLIBC} or later. Install the package `enfold`.\n")
        stage_program(folder, arch)
        pack(folder)
