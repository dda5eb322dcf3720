// SPDX-License-Identifier: Apache-2.0
// Fits an answer to its budget in two steps: `prepare` measures it and returns the bytes to
// archive; after the caller has archived them, `finish` cuts it. An answer that fits is neither cut
// nor archived.
#pragma once

#include "enfold/answer/output_check.h"
#include "enfold/answer/shape.h"
#include "enfold/answer/stored/original.h"
#include "enfold/budget/fit.h"
#include "enfold/contract/cursors/signer.h"
#include "enfold/token/profile.h"

namespace enfold::answer {

/// Tokens to which an answer is cut, unless settings or the call set it: facts, a dozen
/// records and the way back serve a reader better than a long beginning.
inline constexpr std::size_t kDefaultTarget = 4'000;

struct FitSettings {
  ShapeSettings shape;
  budget::Budget budget;                ///< the limit: an answer within it is not cut
  std::size_t target = kDefaultTarget;  ///< tokens to which an answer is cut, within the budget
  budget::Policy policy;                ///< `finish` sets its `list` to that of the answer
  /// Of the payload, which still meets it when it is cut; nullptr: none.
  const budget::OutputSchema* schema = nullptr;
  const token::Tokenizer* tokenizer = &token::o200k_base();
  token::MediaCost media = token::default_profile().media;
  token::CharacterUnit unit = token::CharacterUnit::code_point;  ///< of characters in the budget
  /// Limit of a failure, in place of the budget's characters and lines; nullopt: the budget's.
  std::optional<std::size_t> failure_characters;
  Unstored if_unstored = Unstored::whole;
  bool offers_sql = true;  ///< whether a cut answer may tell its reader to fetch with SQL
  /// For a page of an archived answer: cut the payload, not what is beside it, such as the cursor.
  bool is_fetched_page = false;
  /// For a page of a typed tool, whose one row is too large: cut the row, but keep the page and its
  /// cursor. An answer that does not show the row, at least in brief, does not fit.
  bool keeps_page = false;
  /// `finish` calls it for each attempt to cut, before its size is counted. It rewrites the places
  /// in the report so that they lead into the archived answer. Empty: the places stay.
  std::function<void(model::Reduction&)> translate_places;
  contract::CursorSigner cursors{};  ///< signs the cursor to records that are left out
};

/// Sets tokenizer, media cost, unit of characters and limits to those of the client.
inline void use_profile(FitSettings& settings, const token::Profile& profile) {
  settings.tokenizer = profile.tokenizer;
  settings.media = profile.media;
  settings.budget = {profile.max_tokens, profile.max_characters, profile.max_lines};
  settings.unit = profile.unit;
  settings.failure_characters = profile.max_failure_characters;
}

/// What an answer may cost. A limit that is not set is that of the client; without a client there
/// is no limit of characters or lines.
struct BudgetChoice {
  const token::Profile* profile = nullptr;  ///< nullptr: no client is known
  std::optional<std::size_t> tokens{};
  /// FitSettings::target; not set: `tokens`, else with a client that of the settings, without one
  /// the token budget.
  std::optional<std::size_t> target{};
  std::optional<std::size_t> characters{};
  std::optional<std::size_t> lines{};
};

/// Sets budget, tokenizer and cost of media. `otherwise`: the token budget if neither a client nor
/// a number of tokens is chosen.
void apply_budget(const BudgetChoice& choice, std::size_t otherwise, FitSettings& settings);

/// The budget of this response; for a failure with FitSettings::failure_characters.
[[nodiscard]] inline budget::Budget budget_for(const model::Response& response,
                                               const FitSettings& settings) {
  budget::Budget budget = settings.budget;
  if (response.failure && settings.failure_characters) {
    budget.characters = *settings.failure_characters;
    budget.lines = std::nullopt;
  }
  return budget;
}

/// Where the archive keeps the bytes of `PreparedAnswer::to_store`.
struct Receipt {
  std::string handle;        ///< twelve digits, for the model; empty: the bytes are not kept
  std::string hash;          ///< "sha256:" and 64 hex digits
  bool is_volatile = false;  ///< the archive failed; memory has the bytes until the process ends
  bool has_failed = false;   ///< the archive failed, and nothing else keeps the bytes
};

/// An answer between `prepare` and `finish`.
struct PreparedAnswer {
  ReadAnswer answer;
  bool fits = true;        ///< false: the caller stores `to_store` before `finish`
  budget::Size size;       ///< of the whole answer, if it fits
  std::string_view limit;  ///< that it exceeds: "token", "character" or "line"; empty: none
  /// How the archived bytes are read again (stored/places.h); the archive keeps it with the bytes.
  std::string media_type;

  Original original;        ///< after redaction; empty if the answer fits
  bool keeps_page = false;  ///< sets FitSettings::keeps_page for `finish`
  /// Set: the answer does not match its tool's output schema, and a failure is sent in its place.
  std::optional<SchemaMismatch> mismatch{};

  [[nodiscard]] std::string_view to_store() const { return original.bytes(); }
};

struct FittedAnswer {
  ReadAnswer answer;         ///< ready to be written, with the report of its cut
  budget::FitResult fitted;  ///< the cut payload; fidelity `full` if it was not cut
  budget::Size size;         ///< of the part that a model reads, blocks included
};

/// Measures the answer. Fails with `invalid_input` for a contract without an envelope, which cannot
/// report a cut, and for a budget that `budget::check` refuses.
[[nodiscard]] Result<PreparedAnswer> prepare(ReadAnswer answer, const FitSettings& settings);
/// Like `prepare`, but sends embedded texts and links also as blocks beside the envelope if they
/// fit.
[[nodiscard]] Result<PreparedAnswer> prepare_with_blocks(ReadAnswer answer,
                                                         const FitSettings& settings);

/// Cuts the answer if it does not fit. `stored`: the result of storing `to_store`; ignored if the
/// answer fits. If storing failed, which is no error of `finish`, FitSettings::if_unstored decides
/// what is sent; but a failure whose source code must not be shown (withhold.h) is cut in any case.
/// Fails with `budget_too_small` if even an envelope with only a reference to the archive is over
/// the budget.
[[nodiscard]] Result<FittedAnswer> finish(PreparedAnswer prepared, const Result<Receipt>& stored,
                                          const FitSettings& settings);

}  // namespace enfold::answer
