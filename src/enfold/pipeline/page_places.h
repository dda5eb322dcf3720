// SPDX-License-Identifier: Apache-2.0
// A page that was cut names what is missing by its own places; a reader needs those of the archived
// answer, which is where the rest is.
#pragma once

#include "enfold/pipeline/retrieve_page.h"

namespace enfold::pipeline {

/// Whether the page shows lines of texts that were picked.
[[nodiscard]] bool has_lines(const FoundPage& page);

/// Only a page of one part, or of something that has none, is ever cut. Ids become places too: in
/// the whole answer an id may mean something else.
void name_places(model::Reduction& reduction, const Found& found, const FoundPage& page);

}  // namespace enfold::pipeline
