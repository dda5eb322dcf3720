// SPDX-License-Identifier: Apache-2.0
// scalpel-v1 shows no source code in a failure (contract/errors/source_code.h). contract::write
// removes it in any case; these functions say whether something is removed, because then the
// original must be archived as for a cut.
#pragma once

#include "enfold/answer/shape.h"

namespace enfold::answer {

/// Whether the answer is a failure that is written in scalpel-v1, and so must show no source code.
[[nodiscard]] inline bool forbids_source(const ReadAnswer& answer, const ShapeSettings& settings) {
  return settings.contract == contract::Id::scalpel_v1 && answer.reading.response.failure;
}

/// Removes the source code from an answer that must show none. True: some was removed, or the
/// result that was read has foreign members, which write_result then omits. Other answers: false.
bool withhold_source(ReadAnswer& answer, const ShapeSettings& settings);
/// What withhold_source would return; changes nothing.
[[nodiscard]] inline bool withholds_source(const ReadAnswer& answer,
                                           const ShapeSettings& settings) {
  if (!forbids_source(answer, settings)) return false;
  ReadAnswer shown = answer;
  return withhold_source(shown, settings);
}

/// Whether a content block is a link to the archive, without source code or containers in its
/// members. Of an answer that must show no source code, write_result leaves out all other blocks.
[[nodiscard]] bool is_archive_link(json::View block);

}  // namespace enfold::answer
