// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/cursors/cursor.h"
#include "enfold/retrieve/page.h"
#include "tests/promises/pipeline_checks.h"
#include "tests/support/query_arguments.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace enfold::testing {
namespace {

/// Follows every cursor and every place of a report, as a reader might who wants all of it.
class Reader {
 public:
  Reader(const Run& run, const Claim& claim) : run_(run), claim_(claim) {
    settings_ = run.drawn.settings;
    settings_.budget.tokens = std::max<std::size_t>(settings_.budget.tokens, 700);
    settings_.budget.characters = std::max<std::size_t>(settings_.budget.characters, 3000);
    settings_.budget.lines.reset();
    settings_.shape.extensions = false;
  }

  void read(const retrieve::Position& position) {
    const std::string name =
        fmt::format("{} {}", json::to_text(to_arguments(position.query).view()), position.offset);
    claim_(!path_.contains(name),
           fmt::format("{} does not lead back to itself: {}", name, trail()));
    constexpr std::size_t enough = 8;
    if (done_.size() >= enough || !done_.insert(name).second) return;
    path_.insert(name);
    trail_.push_back(name);
    look(position, name);
    trail_.pop_back();
    path_.erase(name);
  }

 private:
  void look(const retrieve::Position& position, const std::string& name) {
    const auto found = retrieve::retrieve_bytes(run_.prepared.to_store(), run_.prepared.media_type,
                                                position.query);
    claim_(found.has_value(), name + " opens: " + (found ? "" : found.error().message));
    const retrieve::PageRequest request{.position = position,
                                        .page_size = 20,
                                        .archived = run_.receipt,
                                        .key = &key_,
                                        .principal = "ann"};
    const auto answer = retrieve::answer_page(*found, request, settings_);
    if (!answer) {
      // One value or one name that nothing smaller can be shown of.
      claim_(answer.error().code == ErrorCode::budget_too_small,
             name + " is answered: " + answer.error().message);
      return;
    }
    const auto text = write_envelope(answer->answer, settings_.shape);
    claim_(settings_.tokenizer->fits(text->str(), settings_.budget.tokens),
           name + " is within the budget");
    const model::Response& response = answer->answer.reading.response;
    if (response.reduction) {
      // Without room for it the handle is left out: whoever asks has it.
      const auto& archive = response.reduction->archive;
      claim_(archive.empty() || archive.front().handle == run_.receipt.handle,
             "what is cut of a part leads to the same archived answer");
      for (const std::string& place : gaps_of(*response.reduction)) {
        read({position.archive, {.selection = retrieve::select::Ids{{place}}}, 0});
      }
    }
    if (!response.page || !response.page->cursor) return;
    const auto next = retrieve::from_cursor(*response.page->cursor, key_, "ann");
    claim_(next.has_value(), "a cursor opens");
    claim_(retrieve::check_advance(position, *next).has_value(),
           fmt::format("{} goes on, to {} {}", name,
                       json::to_text(to_arguments(next->query).view()), next->offset));
    read(*next);
  }

  [[nodiscard]] std::string trail() const { return fmt::format("{}", fmt::join(trail_, " > ")); }

  const Run& run_;
  const Claim& claim_;
  answer::FitSettings settings_;
  contract::CursorKey key_ = *contract::CursorKey::from_bytes("0123456789abcdef0123456789abcdef");
  std::set<std::string> done_;
  std::set<std::string> path_;
  std::vector<std::string> trail_;
};

}  // namespace

void check_no_loop(const Run& run, store::Archive& /*archive*/, const Claim& claim) {
  if (run.prepared.fits) return;
  Reader reader(run, claim);
  reader.read({run.receipt.hash, {}, 0});
  for (const std::string& place : gaps_of(*run.after().reduction)) {
    reader.read({run.receipt.hash, {.selection = retrieve::select::Ids{{place}}}, 0});
  }
}

}  // namespace enfold::testing
