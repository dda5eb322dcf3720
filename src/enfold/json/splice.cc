// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/write.h"

namespace enfold::json {

void Writer::take(Output&& other, std::size_t skip_first, std::size_t skip_last) {
  const std::size_t before = out_.text_.size();
  const std::string_view text =
      other.text_.view().substr(skip_first, other.text_.size() - skip_first - skip_last);
  out_.text_.put(text);
  for (Output::Reference reference : other.references_) {
    reference.at += before - skip_first;
    out_.references_.push_back(reference);
  }
  for (auto& storage : other.retained_) out_.retained_.push_back(std::move(storage));
  out_.outside_ += other.outside_;
}

Writer& Writer::splice(Output&& json) {
  separate();
  take(std::move(json), 0, 0);
  need_comma_ = true;
  return *this;
}

// The brackets of a finished object are the first and the last byte of its pieces.
Writer& Writer::splice_members(Output&& object) {
  if (object.size() <= 2) return *this;
  separate();
  std::vector<Output::Reference>& references = object.references_;
  const bool begins_outside = !references.empty() && references.front().at == 0;
  const bool ends_outside = !references.empty() && references.back().at == object.text_.size();
  if (begins_outside) {
    references.front().bytes.remove_prefix(1);
    --object.outside_;
  }
  if (ends_outside) {
    references.back().bytes.remove_suffix(1);
    --object.outside_;
  }
  take(std::move(object), begins_outside ? 0 : 1, ends_outside ? 0 : 1);
  need_comma_ = true;
  return *this;
}

}  // namespace enfold::json
