// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/write.h"

namespace enfold::json {

// The brackets of a finished object are the first and the last byte of its slices.
Writer& Writer::splice_members(Output&& object) {
  if (object.size_ <= 2) return *this;
  separate();
  Output::Slice& first = object.slices_.front();
  if (first.outside != nullptr) {
    ++first.outside;
  } else {
    ++first.own;
  }
  --first.length;
  Output::Slice& last = object.slices_.back();
  // What follows is appended to the text, so a bracket that ends it has to go.
  if (last.outside == nullptr) object.text_.pop_back();
  --last.length;
  object.size_ -= 2;
  need_comma_ = false;
  return splice(std::move(object));
}

}  // namespace enfold::json
