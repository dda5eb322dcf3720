// SPDX-License-Identifier: Apache-2.0
// The rows of the dashboard's list of answers: as JSON, and the filter that chooses them.
#pragma once

#include "enfold/gateway/admin/record/recorder.h"
#include "enfold/json/write.h"

namespace enfold::gateway {

/// 2026-11-18T20:15:00.000Z
[[nodiscard]] std::string rfc3339(RecordTime time);

/// Writes one row as a value; schema/admin/row.json describes it.
void write_row(json::Writer& writer, const RecordedCall& call, const Recorder& recorder);

/// Which rows are shown; an empty member accepts all rows.
struct RowFilter {
  std::string text;  ///< a part of a name, error, handle or request id, ignoring case
  std::string client;
  std::string principal;
  std::string upstream;
  std::string tool;
  std::string what;  ///< whole, cut, repaired, redacted or failed
  std::string outcome;
  std::uint64_t before = UINT64_MAX;  ///< only rows with a smaller id
  std::uint64_t after = 0;            ///< only rows with a greater id

  [[nodiscard]] bool accepts(const RecordedCall& call, const Recorder& recorder) const;
};

}  // namespace enfold::gateway
