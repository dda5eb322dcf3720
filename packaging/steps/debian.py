# SPDX-License-Identifier: Apache-2.0
"""The Debian packages: fills what cmake/debian.cmake installs, and runs CPack."""

import re
import shutil
import textwrap
from email.utils import formatdate

from common import OUT, ROOT, VERSION, compressed, epoch, generated, run, write

BUILD = ROOT / "build/debian"
MAINTAINER = "Enfold maintainers <maintainers@enfold.dev>"


def changes():
    """The newest section of CHANGELOG.md as the entries of a Debian changelog."""
    section = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.M)[1]
    areas = re.findall(r"^### (.+)$", section, re.M)
    text = f"Release {VERSION}. CHANGELOG.md has the changes of {', '.join(areas)}."
    return textwrap.wrap(text, 74)


def changelog(package):
    return f"{package} ({VERSION}) stable; urgency=medium\n\n  * " + "\n    ".join(changes()) + f"\n\n -- {MAINTAINER}  {formatdate(epoch())}\n"


def fill(component, package):
    folder = BUILD / "debian" / component
    shutil.rmtree(folder, ignore_errors=True)
    doc = folder / "share/doc" / package
    write(doc / "changelog.gz", compressed(changelog(package).encode()))
    write(doc / "copyright", (ROOT / "packaging/debian/copyright").read_text())
    overrides = ROOT / f"packaging/debian/{package}.lintian-overrides"
    if overrides.exists():
        write(folder / "share/lintian/overrides" / package, overrides.read_text())
    return folder


def build():
    folder = fill("program", "enfold")
    run("cmake", "--install", BUILD, "--component", "docs", "--prefix", folder, quiet=True)
    for place, content in generated().items():
        is_page = place.startswith("man/")
        write(folder / "share" / (place + ".gz" if is_page else place), compressed(content) if is_page else content)
    fill("dev", "libenfold-dev")
    shutil.rmtree(BUILD / "_CPack_Packages", ignore_errors=True)
    run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", BUILD, quiet=True, cwd=BUILD)
    OUT.mkdir(parents=True, exist_ok=True)
    for package in ("enfold", "libenfold-dev"):
        name = f"{package}_{VERSION}_amd64.deb"
        shutil.copyfile(BUILD / name, OUT / name)


def lintian():
    """Fails on every error and warning; the overrides in packaging/debian say why."""
    # Without man pages there is nothing to say about them.
    suppressed = [] if generated() else ["--suppress-tags", "no-manual-page"]
    run("lintian", "--fail-on", "error,warning", "--tag-display-limit", "0", "--allow-root", *suppressed,
        *sorted(OUT.glob("*.deb")), quiet=True)
