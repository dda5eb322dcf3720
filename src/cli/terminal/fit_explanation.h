// SPDX-License-Identifier: Apache-2.0
// Prints how an answer was fitted, as text or JSON: what is shown or not, and what each part costs.
#pragma once

#include "cli/terminal/terminal.h"
#include "enfold/answer/fit/prepare.h"

namespace enfold::cli {

struct FitExplanation {
  std::string file;
  budget::Size whole;                              ///< the answer before it was fitted
  bool fits = true;                                ///< without being cut
  const answer::FittedAnswer* finished = nullptr;  ///< the answer after it was fitted
  answer::Receipt receipt;                         ///< with the handle it would get, unless it fits
  const answer::FitSettings* settings = nullptr;
  std::string client;  ///< name of the profile; may be empty
};

void print_text(const FitExplanation& explanation, Terminal& terminal);
void print_json(const FitExplanation& explanation, Terminal& terminal);

}  // namespace enfold::cli
