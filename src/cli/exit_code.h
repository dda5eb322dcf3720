// SPDX-License-Identifier: Apache-2.0
// Exit codes. Documented in docs/reference/command-line.md and pinned by a test.
#pragma once

namespace enfold::cli {

enum ExitCode : int {
  kOk = 0,
  kUnexpected = 1,
  kNegative = 2,  ///< an expected negative result: invalid, over budget
  kUnsupported = 3,
  kBadInput = 4,
  kBadUsage = 5,
};

}  // namespace enfold::cli
