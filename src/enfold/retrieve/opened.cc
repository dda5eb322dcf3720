// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/opened.h"

#include "enfold/json/write.h"

#include <algorithm>

namespace enfold::retrieve {

const Tables& OpenedAnswer::tables() const {
  std::call_once(is_made_, [this] { tables_ = tables_of(answer_.payload); });
  return tables_;
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

OpenedAnswerPtr OpenedAnswers::find(std::string_view key) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(kept_, key, &Kept::key);
  if (found == kept_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, found);
  return kept_.front().answer;
}

void OpenedAnswers::add(std::string key, OpenedAnswerPtr answer, std::size_t bytes) {
  if (bytes > most_bytes_) return;
  const std::lock_guard lock(mutex_);
  std::erase_if(kept_, [&](const Kept& one) { return one.key == key; });
  kept_.push_front({std::move(key), std::move(answer), bytes});
  std::size_t sum = 0;
  auto last = kept_.begin();
  while (last != kept_.end() && sum + last->bytes <= most_bytes_) sum += last++->bytes;
  kept_.erase(last, kept_.end());
}

}  // namespace enfold::retrieve
