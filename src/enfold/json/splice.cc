// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/write.h"

namespace enfold::json {

void Output::append(Output&& other, std::size_t skip_first, std::size_t skip_last) {
  const std::size_t before = text_.size();
  text_.put(other.text_.view().substr(skip_first, other.text_.size() - skip_first - skip_last));
  for (Reference reference : other.references_) {
    reference.at += before - skip_first;
    references_.push_back(reference);
  }
  for (auto& storage : other.retained_) retained_.push_back(std::move(storage));
  outside_ += other.outside_;
}

Writer& Writer::splice(Output&& json) {
  separate();
  out_.append(std::move(json), 0, 0);
  need_comma_ = true;
  return *this;
}

// The first and the last byte of a finished object are its brackets, in the text or a reference.
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
  out_.append(std::move(object), begins_outside ? 0 : 1, ends_outside ? 0 : 1);
  need_comma_ = true;
  return *this;
}

}  // namespace enfold::json
