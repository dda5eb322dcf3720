// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/opened.h"

#include "enfold/json/write.h"

namespace enfold::retrieve {

// Two threads may make the tables at the same time; both make the same, and the last one is kept.
std::shared_ptr<const Tables> OpenedAnswer::tables() const {
  std::shared_ptr<const Tables> made = tables_.load();
  if (made) return made;
  made = std::make_shared<const Tables>(tables_of(answer_.payload));
  tables_.store(made);
  return made;
}

Result<OpenedAnswerPtr> open_answer(std::string_view bytes, std::string_view media_type,
                                    const Limits& limits) {
  const std::optional<answer::StoredForm> form = answer::read_as(media_type);
  const auto as_text = [&] {
    const json::Value text = json::string_value(bytes);
    return std::make_shared<const OpenedAnswer>(answer::ArchivedAnswer{text, text});
  };
  if (form && form->contract == contract::Id::text) return as_text();
  Limits roomy = limits;
  roomy.max_bytes = kLargestDocument;  // the size was limited when the answer was archived
  const Result<json::Document> document = json::parse(bytes, roomy);
  if (!document && !form) return as_text();
  if (!document) return tl::unexpected(document.error());
  ENFOLD_TRY(answer::ArchivedAnswer opened, answer::open_archived(document->root(), form, roomy));
  return std::make_shared<const OpenedAnswer>(std::move(opened));
}

}  // namespace enfold::retrieve
