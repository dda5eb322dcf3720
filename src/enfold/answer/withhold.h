// SPDX-License-Identifier: Apache-2.0
// scalpel-v1 shows no source code of a failure (contract/errors/source_code.h). Writing an answer
// leaves it out in any case; these functions serve the archive, which keeps it.
#pragma once

#include "enfold/answer/shape.h"

namespace enfold::answer {

/// Whether the answer is a failure in scalpel-v1.
[[nodiscard]] bool is_closed(const ReadAnswer& answer, const ShapeSettings& settings);

/// Leaves the source code of such an answer out. False: there was nothing to leave out.
bool withhold_source(ReadAnswer& answer, const ShapeSettings& settings);
[[nodiscard]] bool withholds_source(const ReadAnswer& answer, const ShapeSettings& settings);

/// Whether a content block may stand beside such an answer: a link to the archive.
[[nodiscard]] bool is_archive_link(json::View block);

}  // namespace enfold::answer
