// SPDX-License-Identifier: Apache-2.0
// The report on a server: as JSON, or as JUnit XML for CI systems.
#pragma once

#include "enfold/check/finding.h"
#include "enfold/json/write.h"

namespace enfold::check {

struct ToolReport {
  std::string tool;
  Findings findings;
  std::string contract;    ///< of its answers; empty: none
  std::size_t calls = 0;   ///< number of calls made
  std::string not_called;  ///< the reason, if it was not called
};

struct Report {
  std::string server;    ///< name and version reported by the server
  std::string protocol;  ///< revision
  std::vector<ToolReport> tools;
};

struct Counts {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;
  std::size_t calls = 0;
};
[[nodiscard]] Counts count(const Report& report);

/// Adds findings; the same finding of several calls is kept once, with the first call.
void merge(Findings& into, Findings more);

[[nodiscard]] json::Output to_json(const Report& report);

/// One test case for each tool and rule; errors and warnings fail, and with `strict` notes too.
/// Rules about answers are skipped for a tool that was not called.
[[nodiscard]] std::string to_junit(const Report& report, bool strict);

}  // namespace enfold::check
