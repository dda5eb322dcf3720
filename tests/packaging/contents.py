#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is in build/package, if `make package` was run: the files that each package must have and no others where
that matters, one time and one owner for all, sums that agree, and an SPDX document without loose ends.

  contents.py SOURCE_FOLDER      exit 77: nothing is built
"""

import hashlib
import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path

root = Path(sys.argv[1])
out = root / "build/package"
version = (root / "VERSION").read_text().strip()
problems = []
if not (out / "SHA256SUMS").exists() or not (out / f"enfold_{version}_amd64.deb").exists():
    print("skipped: make package was not run for this version")
    sys.exit(77)


def expect(holds, what):
    if not holds:
        problems.append(what)


def listing(deb):
    text = subprocess.run(["dpkg-deb", "-c", out / deb], check=True, capture_output=True, text=True,
                          env={"TZ": "UTC", "PATH": "/usr/bin:/bin"}).stdout
    rows = [line.split(maxsplit=5) for line in text.splitlines()]
    expect({row[1] for row in rows} == {"root/root"}, f"{deb}: an owner other than root")
    expect(len({(row[3], row[4]) for row in rows}) == 1, f"{deb}: files of several times")
    return {row[5][1:].split(" -> ")[0]: row[0] for row in rows}  # of a link, its own path


program = listing(f"enfold_{version}_amd64.deb")
for path, rights in {"/usr/bin/enfold": "-rwxr-xr-x", "/lib/systemd/system/enfold.service": "-rw-r--r--",
                     "/etc/enfold/enfold.toml": "-rw-r--r--", "/etc/enfold/keys/": "drwx------",
                     "/usr/share/doc/enfold/copyright": "-rw-r--r--", "/usr/share/doc/enfold/changelog.gz": "-rw-r--r--",
                     "/usr/share/doc/enfold/docs/reference/configuration.md": "-rw-r--r--"}.items():
    expect(program.get(path) == rights, f"enfold.deb: expected {path} {rights}, found {program.get(path)}")
PAGES = ["man/man1/enfold.1", "man/man1/enfold-serve.1", "man/man5/enfold.toml.5",
         "bash-completion/completions/enfold", "zsh/vendor-completions/_enfold", "fish/vendor_completions.d/enfold.fish"]
for page in PAGES:
    path = f"/usr/share/{page}.gz" if page.startswith("man/") else f"/usr/share/{page}"
    expect(path in program, f"enfold.deb: expected {path}")
tracked = set(subprocess.run(["git", "-C", root, "ls-files"], check=True, capture_output=True, text=True).stdout.splitlines())
for path in program:
    name = path.removeprefix("/usr/share/doc/enfold/")
    if name.startswith(("docs/", "examples/")) and not name.endswith("/"):
        expect(name in tracked, f"enfold.deb: {path} is not committed")
bundled = json.loads((root / "build/debian/web/bundled.json").read_text())
expect(any(one["name"] == "preact" for one in bundled), f"bundled.json: expected preact, found {bundled}")
copyright_text = subprocess.run(f"dpkg-deb --fsys-tarfile {out}/enfold_{version}_amd64.deb"
                                " | tar -xO ./usr/share/doc/enfold/copyright", shell=True, check=True,
                                capture_output=True, text=True).stdout
for one in bundled:
    expect(f"node_modules/{one['name']}/" in copyright_text, f"enfold.deb: expected the copyright of {one['name']}")
fields = subprocess.run(["dpkg-deb", "-f", out / f"enfold_{version}_amd64.deb"], capture_output=True, text=True).stdout
expect(re.search(r"^Depends: .*libc6 .*libssl3", fields, re.M), f"enfold.deb: dependencies of its libraries: {fields}")
developer = listing(f"libenfold-dev_{version}_amd64.deb")
for path in ("/usr/include/enfold/server/server.h", "/usr/lib/x86_64-linux-gnu/libenfold_server.a",
             "/usr/lib/x86_64-linux-gnu/cmake/enfold/enfold-config.cmake"):
    expect(path in developer, f"libenfold-dev.deb: expected {path}")
expect(not any(path.startswith("/usr/bin/") for path in developer), "libenfold-dev.deb has programs")


def members(name):
    with tarfile.open(out / name) as archive:
        all_of_them = archive.getmembers()
    expect(len({one.mtime for one in all_of_them}) == 1, f"{name}: files of several times")
    expect({(one.uid, one.gid) for one in all_of_them} == {(0, 0)} or name.startswith("npm/"), f"{name}: owners")
    return {one.name for one in all_of_them if one.isfile()}


folder = f"enfold-{version}-linux-x64"
archived = members(f"{folder}.tar.gz")
wanted = {*(f"share/{page}" for page in PAGES), "bin/enfold", "LICENSE", "THIRD-PARTY-NOTICES", "README.md", "CHANGELOG.md"}
missing = {f"{folder}/{name}" for name in wanted} - archived
expect(not missing, f"archive: expected {sorted(missing)}")
main = members(f"npm/enfold-{version}.tgz")
expect(main == {f"package/{name}" for name in ("package.json", "bin/enfold.js", "LICENSE", "README.md")},
       f"npm enfold: found {sorted(main)}")
for package in out.glob(f"npm/enfold-linux-*-{version}.tgz"):
    found = members(str(package.relative_to(out)))
    expect({"package/bin/enfold", "package/LICENSE", "package/THIRD-PARTY-NOTICES",
            *(f"package/share/{page}" for page in PAGES)} <= found, f"{package.name}: {found}")
    with tarfile.open(package) as archive:
        notices = archive.extractfile("package/THIRD-PARTY-NOTICES").read().decode()
    for one in bundled:
        expect(f"\n{one['name']} {one['version']}\n" in notices, f"{package.name}: expected the licence of {one['name']}")
index = json.loads((out / "oci/index.json").read_text())
kinds = {one["annotations"]["org.opencontainers.image.ref.name"] for one in index["manifests"]}
expect(kinds == {"slim", "node"}, f"oci: expected slim and node, found {kinds}")


def image_files(kind):
    """The paths in the only layer of an image."""
    digest = next(one["digest"] for one in index["manifests"] if one["annotations"]["org.opencontainers.image.ref.name"] == kind)
    blob = lambda text: out / "oci/blobs" / text.replace(":", "/")  # noqa: E731
    layers = json.loads(blob(digest).read_text())["layers"]
    with tarfile.open(blob(layers[0]["digest"])) as archive:
        return {one.name.removeprefix("./") for one in archive.getmembers() if not one.isdir()}


for kind, packages in (("slim", {"base-files", "ca-certificates", "gcc-12-base", "libc6", "libgcc-s1"}),
                       ("node", {"base-files", "ca-certificates", "coreutils", "dash", "libc6", "libstdc++6"})):
    files = image_files(kind)
    programs = {path for path in files if path.startswith(("bin/", "sbin/", "usr/bin/", "usr/sbin/"))}
    expect("usr/bin/enfold" in programs, f"oci {kind}: expected the program, found {sorted(programs)}")
    expect(kind != "slim" or len(programs) == 1, f"oci slim: expected the program only, found {sorted(programs)}")
    expect(not any("/libcrypto.so" in path for path in files), f"oci {kind}: has an OpenSSL that nothing uses")
    named = {path.rsplit("/", 1)[1] for path in files if path.startswith("var/lib/dpkg/status.d/")}
    expect(packages <= named and (kind != "slim" or packages == named), f"oci {kind}: expected {packages}, found {named}")

for path in out.rglob("*"):
    expect(path.is_dir() or path.stat().st_mode & 0o777 == 0o644, f"{path.name}: expected the rights 644")

for line in (out / "SHA256SUMS").read_text().splitlines():
    digest, name = line.split("  ", 1)
    expect((out / name).exists() and hashlib.sha256((out / name).read_bytes()).hexdigest() == digest, f"sum of {name}")
document = json.loads((out / "enfold.spdx.json").read_text())
ids = {one["SPDXID"] for one in document["packages"]} | {"SPDXRef-DOCUMENT"}
expect(document["spdxVersion"] == "SPDX-2.3" and len(ids) == len(document["packages"]) + 1, "spdx: ids are not unique")
for one in document["relationships"]:
    expect({one["spdxElementId"], one["relatedSpdxElement"]} <= ids, f"spdx: {one}")
names = {one["name"] for one in document["packages"]}
for one in bundled:
    expect(one["name"] in names, f"spdx: expected {one['name']}")
for library in ("libssl-dev", "libsqlite3-dev", "libzstd-dev", "libre2-dev", "libfmt-dev", "libhiredis-dev",
                "libcli11-dev", "libtomlplusplus-dev", "libexpected-dev", "libstdc++-12-dev"):
    expect(library in names, f"spdx: expected {library}")
expect(all(one["licenseConcluded"] not in ("", "NOASSERTION") for one in document["packages"]), "spdx: a licence is missing")

for problem in problems:
    print(f"error: {problem}", file=sys.stderr)
sys.exit(1 if problems else 0)
