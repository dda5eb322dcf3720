// SPDX-License-Identifier: Apache-2.0
// The original of an answer: the bytes that must be archived before the answer is cut. For an
// answer that was read from a document, the result as received, after redaction; for one that a
// typed tool made, everything in it.
#pragma once

#include "enfold/answer/shape.h"

namespace enfold::answer {

struct ArchivedAnswer;

/// Makes the document that is archived for an answer of a typed tool, and sets `answer.source` to
/// this document. A payload alone is the document itself. Else the document is an MCP result:
/// message and blocks in `content`, the payload (else the message) in `structuredContent`, the
/// other members of an envelope in `_meta`. Does nothing to other answers. `prepare` calls it for
/// an answer that does not fit, before it makes the Original.
void make_document(ReadAnswer& answer);

/// The answer as `enfold_fetch` will open it, if it is archived as it is now.
[[nodiscard]] ArchivedAnswer as_archived(const ReadAnswer& answer);

class Original {
 public:
  Original() = default;  ///< empty: the answer fits
  /// Takes the bytes from `answer.source`; an answer of a typed tool has been through
  /// make_document.
  explicit Original(const ReadAnswer& answer);

  [[nodiscard]] std::string_view bytes() const;  ///< valid as long as the Original

 private:
  std::optional<json::Value> value_;  ///< nullopt: the original is `text_`
  std::string text_;                  ///< an answer that is not JSON; may be empty
};

}  // namespace enfold::answer
