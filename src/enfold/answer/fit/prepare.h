// SPDX-License-Identifier: Apache-2.0
// The pipeline around its only I/O: `prepare` reads an answer and says which bytes must be stored
// before anything may be left out; the caller stores them; `finish` fits the answer to its budget.
// Nothing is cut without a way back, and an answer that fits is neither cut nor stored.
#pragma once

#include "enfold/answer/output_check.h"
#include "enfold/answer/shape.h"
#include "enfold/answer/stored/original.h"
#include "enfold/budget/fit.h"
#include "enfold/token/profile.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace enfold::answer {

/// What happens to an answer over the budget when its original cannot be stored.
enum class Unstored {
  whole,  ///< it is sent whole, over the budget, with a warning
  fail,   ///< the call fails
  cut,    ///< it is cut all the same and says that the rest is gone: where there is no archive
};

struct FitSettings {
  ShapeSettings shape;
  budget::Budget budget;
  budget::Policy policy;
  const budget::OutputSchema* schema = nullptr;  ///< the tool's own, for the payload
  const token::Tokenizer* tokenizer = &token::o200k_base();
  token::MediaCost media = token::default_profile().media;
  Unstored unstored = Unstored::whole;
  bool only_payload = false;  ///< is cut; the rest of the envelope stays, a cursor for example
  /// Says the places of a report as its reader needs them, before their cost is counted.
  std::function<void(model::Reduction&)> name_places;
};

/// Tokenizer, price of media and the three limits, as the client has them.
void use_profile(FitSettings& settings, const token::Profile& profile);

/// Proof that the bytes of `Prepared::to_store` are safe.
struct Receipt {
  std::string handle;  ///< twelve digits, for the model
  std::string hash;    ///< "sha256:" and 64 hex digits
};

struct Prepared {
  ReadAnswer answer;
  bool fits = true;
  budget::Size size;       ///< of the whole answer, when it fits
  std::string_view limit;  ///< the first that it exceeds: "token", "character" or "line"
  /// How the stored bytes are to be read again; the store keeps it beside them.
  std::string media_type;

  Original original;  ///< after redaction; nothing when it fits
  /// The answer must not be shown, because it does not match its tool's output schema.
  std::optional<SchemaMismatch> mismatch{};

  [[nodiscard]] std::string_view to_store() const { return original.bytes(); }
};

struct FittedAnswer {
  ReadAnswer answer;
  budget::FitResult fitted;  ///< what became of the payload; level `full` when it was not cut
  budget::Size size;         ///< of the answer in the channel that a model reads, blocks included
};

/// `invalid_input` for a contract that is no envelope: it has no place for what was left out. What
/// `budget::check` says of the budget.
[[nodiscard]] Result<Prepared> prepare(ReadAnswer answer, const FitSettings& settings);
/// The same with embedded texts and links also beside the envelope, as blocks, while there is room.
[[nodiscard]] Result<Prepared> prepare_with_blocks(ReadAnswer answer, const FitSettings& settings);

/// `stored` is not looked at when the answer fits as it is. `budget_too_small` when the envelope
/// with nothing but a reference in it is over the budget.
[[nodiscard]] Result<FittedAnswer> finish(Prepared prepared, const Result<Receipt>& stored,
                                          const FitSettings& settings);

}  // namespace enfold::answer
