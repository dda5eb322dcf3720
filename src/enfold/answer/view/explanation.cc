// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/view/explanation.h"

#include <algorithm>
#include <array>

namespace enfold::answer {
namespace {

struct Reason {
  std::string_view what;
  std::string_view why;
};
constexpr std::array<Reason, 7> kReasons{{
    {"whole", "as it came"},
    {"brief", "without nulls, links and long text"},
    {"clipped", "the beginning"},
    {"row", "id and label"},
    {"facts", "counts, values and ranges of the whole"},
    {"lines", "lines that say most"},
    {"dropped", "no room"},
}};

void write_budget(json::Writer& writer, const budget::Budget& budget) {
  writer.key("budget").begin_object().member("tokens", budget.tokens);
  // apply_budget() sets kLargestDocument for no limit of characters.
  if (budget.characters < kLargestDocument) writer.member("characters", budget.characters);
  if (budget.lines) writer.member("lines", *budget.lines);
  writer.end_object();
}

}  // namespace

std::string_view reason_of(std::string_view what) {
  const auto found = std::ranges::find(kReasons, what, &Reason::what);
  return found != kReasons.end() ? found->why : std::string_view();
}

std::size_t tokens_beside_parts(const FittedAnswer& finished) {
  std::size_t parts = 0;
  for (const budget::Part& part : finished.fitted.parts) parts += part.tokens;
  return finished.size.tokens - std::min(finished.size.tokens, parts);
}

model::Fidelity fidelity_of(const FittedAnswer& finished) {
  const auto& reduction = finished.answer.reading.response.reduction;
  return reduction ? reduction->level : finished.fitted.fidelity;
}

void write_size(json::Writer& writer, std::string_view key, const budget::Size& size) {
  writer.key(key).begin_object().member("tokens", size.tokens);
  writer.member("characters", size.characters).member("lines", size.lines).end_object();
}

void write_explanation(json::Writer& writer, const FitExplanation& explanation) {
  const budget::FitResult& fitted = explanation.finished->fitted;
  const auto& reduction = explanation.finished->answer.reading.response.reduction;
  writer.begin_object().member("file", explanation.file).member("fits", explanation.fits);
  writer.member("level", model::name(fidelity_of(*explanation.finished)));
  write_budget(writer, explanation.settings->budget);
  writer.member("encoding", explanation.settings->tokenizer->name());
  if (!explanation.client.empty()) writer.member("client", explanation.client);
  write_size(writer, "whole", explanation.whole);
  write_size(writer, "shown", explanation.finished->size);
  if (!explanation.fits) {
    writer.member("handle", explanation.receipt.handle).member("hash", explanation.receipt.hash);
    writer.member("dropped_count", fitted.dropped_count);
    writer.member("dropped", reduction ? reduction->dropped_ids : fitted.dropped);
    writer.key("parts").begin_array();
    for (const budget::Part& part : fitted.parts) {
      writer.begin_object().member("pointer", part.pointer).member("shown", part.what);
      writer.member("items", part.count).member("tokens", part.tokens).end_object();
    }
    writer.end_array();
    if (fitted.schema_note) writer.member("schema_note", *fitted.schema_note);
  }
  writer.end_object();
}

}  // namespace enfold::answer
