// SPDX-License-Identifier: Apache-2.0
// How an answer was fitted, for people and for programs: what is shown, what is not, and what each
// part costs.
#pragma once

#include "cli/terminal.h"
#include "enfold/pipeline/prepare.h"

namespace enfold::cli {

struct FitExplanation {
  std::string file;
  budget::Size whole;  ///< the answer before it was fitted
  bool fits = true;    ///< as it is
  const pipeline::Finished* finished = nullptr;
  pipeline::Receipt receipt;  ///< when something is left out
  const pipeline::FitSettings* settings = nullptr;
  std::string client;
};

void print_text(const FitExplanation& explanation, Terminal& terminal);
void print_json(const FitExplanation& explanation, Terminal& terminal);

}  // namespace enfold::cli
