// SPDX-License-Identifier: Apache-2.0
// The original of an answer: the bytes that must be safe before anything of it is left out. Of an
// answer that was read, its result value as it came; of one that was made here, all that it says.
#pragma once

#include "enfold/answer/shape.h"

#include <optional>
#include <string>
#include <string_view>

namespace enfold::answer {

struct ArchivedAnswer;

/// Gives an answer that was made here a document to stand in: unless its payload is all there is,
/// an MCP result with its words and blocks in `content`, the payload (or the words of an answer
/// without one) in `structuredContent`, and what an envelope says beside in `_meta`.
void make_document(ReadAnswer& answer);

/// The result value inside what was read: what is stored of it, and opened again.
[[nodiscard]] json::Value stored_value(const ReadAnswer& answer);

/// The answer as retrieval will open it.
[[nodiscard]] ArchivedAnswer as_archived(const ReadAnswer& answer);

class Original {
 public:
  Original() = default;  ///< of an answer that needs none
  explicit Original(const ReadAnswer& answer);

  [[nodiscard]] std::string_view bytes() const;

 private:
  std::optional<json::Value> value_;
  std::string text_;  ///< of an answer that is no JSON
};

}  // namespace enfold::answer
