// SPDX-License-Identifier: Apache-2.0
// How the program ends. Documented in docs/command-line.md and pinned by a test.
#pragma once

namespace enfold::cli {

enum ExitCode : int {
  kOk = 0,
  kUnexpected = 1,
  kNegative = 2,  ///< the expected other answer: invalid, over budget
  kUnsupported = 3,
  kBadInput = 4,
  kBadUsage = 5,
};

}  // namespace enfold::cli
