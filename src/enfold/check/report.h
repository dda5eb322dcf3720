// SPDX-License-Identifier: Apache-2.0
// What was found in a whole server, for programs: one JSON object, or JUnit for build servers.
#pragma once

#include "enfold/check/finding.h"
#include "enfold/json/write.h"

namespace enfold::check {

struct ToolReport {
  std::string tool;
  Findings findings;
  std::string contract;    ///< that its answers speak; empty: none
  std::size_t calls = 0;   ///< that were made
  std::string not_called;  ///< why, if it was not
};

struct Report {
  std::string server;    ///< name and version, as it says
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

/// The same finding of several calls becomes one, which names the first of them; so does a habit.
void merge(Findings& into, Findings more);

[[nodiscard]] json::Output to_json(const Report& report);

/// One test case for each tool and rule; errors and warnings fail, and with `strict` notes too.
/// Rules about answers are skipped for a tool that was not called.
[[nodiscard]] std::string to_junit(const Report& report, bool strict);

}  // namespace enfold::check
