# SPDX-License-Identifier: Apache-2.0
"""enfold.spdx.json: SPDX 2.3, what is in each package and under which licence."""

import datetime
import json
import re

from common import OUT, VERSION, epoch, sha256, write
from licences import bundled, components

EXTRACTED = {
    "LicenseRef-public-domain": ("public domain", "The authors disclaim copyright to this source code."),
    "LicenseRef-fmt-exception": ("fmt exception", "As an exception to the MIT licence, if, as a result of compiling your "
                                 "source code, portions of this Software are embedded into a machine-executable object "
                                 "form of such source code, you may redistribute such embedded portions in such object "
                                 "form without including the copyright and permission notices."),
}


def identifier(text):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", text)


def package(name, version, licence, **more):
    return {"SPDXID": identifier(f"{name}-{version}"), "name": name, "versionInfo": version,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": licence,
            "licenseDeclared": licence, "copyrightText": "NOASSERTION", **more}


def data(name, version, licence):
    return package(name, version, licence, supplier="NOASSERTION")


def artifacts():
    """The files of build/package that hold a program, with the preset that they were built with."""
    for file in sorted(OUT.glob("*.deb")) + sorted(OUT.glob("npm/*.tgz")) + sorted(OUT.glob("*.tar.gz")):
        preset = "debian" if file.suffix == ".deb" else "portable-arm64" if "linux-arm64" in file.name else "portable"
        yield file, preset, not re.fullmatch(rf"enfold-{re.escape(VERSION)}\.tgz", file.name)


def build():
    created = datetime.datetime.fromtimestamp(epoch(), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    tables = [data("openai-tiktoken-vocabularies", "o200k_base, cl100k_base", "MIT"),
              data("unicode-character-database", "16.0", "Unicode-3.0")]
    packages, relations, seen = list(tables), [], {}
    for file, preset, has_program in artifacts():
        name = str(file.relative_to(OUT))
        own = package(name, VERSION, "Apache-2.0", packageFileName=name, supplier="Organization: Enfold maintainers",
                      checksums=[{"algorithm": "SHA256", "checksumValue": sha256(file)}])
        packages.append(own)
        relations.append(("SPDXRef-DOCUMENT", "DESCRIBES", own["SPDXID"]))
        if not has_program:
            continue
        relations += [(own["SPDXID"], "CONTAINS", one["SPDXID"]) for one in tables]
        for row in components(preset, preset != "debian"):
            key = (row["name"], row["version"])
            if key not in seen:
                seen[key] = package(*key, row["licence"], supplier="Organization: Debian",
                                    externalRefs=[{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                                   "referenceLocator": f"pkg:deb/debian/{key[0]}@{key[1]}"}])
                packages.append(seen[key])
            kind = "STATIC_LINK" if row["static"] else "DYNAMIC_LINK"
            relations.append((own["SPDXID"], kind, seen[key]["SPDXID"]))
        for row in bundled(preset):
            key = (row["name"], row["version"])
            if key not in seen:
                seen[key] = package(*key, row["license"], supplier="NOASSERTION",
                                    externalRefs=[{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                                   "referenceLocator": f"pkg:npm/{key[0]}@{key[1]}"}])
                packages.append(seen[key])
            relations.append((own["SPDXID"], "CONTAINS", seen[key]["SPDXID"]))
    used = {word for one in packages for word in re.findall(r"LicenseRef-[\w-]+", one["licenseConcluded"])}
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"enfold-{VERSION}",
        "documentNamespace": f"https://enfold.dev/spdx/enfold-{VERSION}-{epoch()}",
        "creationInfo": {"created": created, "creators": ["Tool: tools/package", "Organization: Enfold maintainers"]},
        "packages": packages,
        "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}
                          for a, kind, b in relations],
        "hasExtractedLicensingInfos": [{"licenseId": one, "name": EXTRACTED[one][0], "extractedText": EXTRACTED[one][1]}
                                       for one in sorted(used)],
    }
    write(OUT / "enfold.spdx.json", json.dumps(document, indent=1) + "\n")
