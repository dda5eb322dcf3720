// SPDX-License-Identifier: Apache-2.0
// The view of one answer: what the server sent beside what the model got, with the parts that were
// removed, shortened, redacted or added marked by place. The dashboard and the offline picture show
// it; schema/admin/view.json describes its JSON.
#pragma once

#include "enfold/answer/answer.h"
#include "enfold/answer/view/explanation.h"

namespace enfold::answer {

/// One of the two texts.
struct ViewText {
  std::string text;
  bool is_json = false;  ///< else plain text
  std::string place;     ///< pointer to the payload: in the result (before), in `text` (after)
  budget::Size size;
};

struct ViewPart {
  bool is_before = true;  ///< the pointer leads into the text before, else into that after
  std::string pointer;
  std::string what;  ///< as budget::Part::what, or redacted, added, envelope, index
  std::string why;   ///< for people
  std::size_t tokens = 0;
  std::size_t items = 1;
};

struct View {
  ViewText before;
  ViewText after;
  budget::Size whole;  ///< of the answer with its envelope, before it was fitted
  bool fits = true;    ///< the answer was within its budget, so nothing was cut
  std::vector<ViewPart> parts;
  model::Fidelity fidelity = model::Fidelity::full;
  std::string handle;  ///< of the archived original; empty: it fits, or was not archived
  std::size_t dropped_count = 0;
  std::optional<std::string> schema_note;
  std::vector<model::Warning> warnings;
  std::optional<model::Failure> failure;
  FitSettings settings;
  std::string client;  ///< name of the profile; may be empty
};

/// The view of an answer that was explained. `written`: the envelope as its reader got it; empty:
/// view_of writes it from the answer.
[[nodiscard]] Result<View> view_of(const ExplainedAnswer& explained, const Receipt& receipt,
                                   const FitSettings& settings, std::string client,
                                   std::string written = {});

/// The view of an answer that Enfold did not put into a contract: `before` and `after` are
/// structured content or text of the results.
[[nodiscard]] View view_of_results(json::View before, json::View after, const FitSettings& settings,
                                   std::string client);

/// What the model reads of a result: its structured content as JSON, else its texts.
[[nodiscard]] ViewText text_of_result(json::View result, const FitSettings& settings);

/// The members of the view, into an open object.
void write_view(json::Writer& writer, const View& view);

}  // namespace enfold::answer
