// SPDX-License-Identifier: Apache-2.0
// Prints how an answer was fitted, as text or JSON: what is shown, what is not, and the cost of
// each part.
#pragma once

#include "cli/terminal/terminal.h"
#include "enfold/answer/fit/prepare.h"

namespace enfold::cli {

struct FitExplanation {
  std::string file;
  budget::Size whole;                              ///< the answer before it was fitted
  bool fits = true;                                ///< without being cut
  const answer::FittedAnswer* finished = nullptr;  ///< the answer after it was fitted
  answer::Receipt receipt;                         ///< of the archive, if something is left out
  const answer::FitSettings* settings = nullptr;
  std::string client;  ///< name of the profile; may be empty
};

void print_text(const FitExplanation& explanation, Terminal& terminal);
void print_json(const FitExplanation& explanation, Terminal& terminal);

}  // namespace enfold::cli
