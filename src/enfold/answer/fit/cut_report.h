// SPDX-License-Identifier: Apache-2.0
// What a cut answer reports about its cut: the fidelity, the places that are missing, the handle of
// the original and the warnings. The smaller the budget, the shorter the report. Also shortens what
// an envelope says beside its payload, step by step, when that alone would take most of the budget.
#pragma once

#include "enfold/answer/fit/measure.h"
#include "enfold/answer/fit/prepare.h"
#include "enfold/answer/stored/places.h"
#include "enfold/model/response.h"
#include "enfold/token/tokenizer.h"

namespace enfold::answer {

inline constexpr int kTrimSteps = 6;  // of `trim`

/// Bytes of a message that the last step of `trim` keeps.
inline constexpr std::size_t kShortMessageBytes = 32;

/// Shortens one kind of part beside the payload: `step` runs from 0 to kTrimSteps - 1, the least
/// needed part first. `whole`: the response before the first step, from which markers count the
/// missing bytes. `tokens`: limit of a message in step 3, and of all warnings together in step 0,
/// which leaves eight in any case. False: there was nothing to shorten.
[[nodiscard]] bool trim(model::Response& response, const model::Response& whole, int step,
                        const token::Tokenizer& tokenizer, std::size_t tokens);

/// The first `bytes` of a text and "…[+N bytes]"; the whole text if it is short.
[[nodiscard]] std::string clipped(std::string_view text, std::size_t bytes);
/// The same for a number of tokens, marker included. The marker of a long text of several lines
/// also says at which line the text stopped.
[[nodiscard]] std::string clipped_to_tokens(std::string_view text,
                                            const token::Tokenizer& tokenizer, std::size_t tokens);

/// How much the report of a cut says. Each value also leaves out what those before it leave out.
enum class ReportDetail {
  all,
  few,        ///< the warning about the cut has no numbers; no Reduction::way_back, no schema note
  fewest,     ///< the warning says "Cut"; the hash is shortened, places of blocks are not listed
  none,       ///< no message, no handles of earlier cuts; no other warnings, except of a page
  no_handle,  ///< nor the handle of the original; only for a page, whose reader knows it
};

/// How much is said about the pages of the list: all with a cursor to the records that are left
/// out, only that there are more, or nothing.
enum class PageDetail { all, has_more, none };

/// An answer that is being cut to its budget.
struct Cut {
  ReadAnswer answer;            ///< its parts beside the payload are cut step by step
  const Receipt& receipt;       ///< handle empty: the original is not kept
  std::string_view limit;       ///< PreparedAnswer::limit: the limit that the answer exceeds
  const FitSettings& settings;  ///< with the budget to which it is cut
  model::Response whole{};      ///< the response of `answer` before anything was cut
  ArchivedAnswer archived{};    ///< `whole` as `enfold_fetch` will open it
  json::Value payload{};        ///< the part that the fitter cuts: the payload, else the message
  KeptBlocks blocks{};          ///< as chosen for `answer`; empty: the answer has none
  /// The list that the answer is about; nullopt: none, or the answer is a page with its own cursor.
  std::optional<contract::ListReading> list{};
  bool trimmed_parts = false;  ///< parts beside payload and blocks were shortened
  ReportDetail detail = ReportDetail::all;
  PageDetail page = PageDetail::all;

  [[nodiscard]] model::Response& response() { return answer.reading.response; }
  [[nodiscard]] const model::Response& response() const { return answer.reading.response; }
  /// Whether the original is kept, in the archive or in memory, so that its handle opens it.
  [[nodiscard]] bool is_kept() const { return !receipt.handle.empty(); }
  /// How many warnings of `whole` are left out.
  [[nodiscard]] std::size_t dropped_warnings() const {
    return whole.warnings.size() - std::min(whole.warnings.size(), response().warnings.size());
  }
};

/// The place of the warnings in the archived answer, if some are left out. Empty: none is left out,
/// or the answer came from an upstream; then the archive has its result as received.
[[nodiscard]] std::string place_of_warnings(const Cut& cut);

/// Bytes that the shortest reports keep of a message: 12, or 0 from ReportDetail::none on.
[[nodiscard]] std::size_t bytes_of_message(ReportDetail detail);

/// The answer with the fitted payload and the report of the cut.
[[nodiscard]] ReadAnswer answer_with(const Cut& cut, const budget::FitResult& fitted);

}  // namespace enfold::answer
