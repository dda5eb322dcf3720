// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/result.h"

#include <gtest/gtest.h>

namespace enfold {
namespace {

// What leaves the process is a promise, so the table is repeated here as literals.
TEST(Result, maps_every_code_to_its_pinned_answers) {
  struct Row {
    ErrorCode code;
    const char* name;
    int json_rpc;
    int http_status;
    int exit_code;
  };
  const Row rows[] = {
      {ErrorCode::invalid_input, "invalid_input", -32602, 400, 4},
      {ErrorCode::unsupported, "unsupported", -32601, 501, 3},
      {ErrorCode::not_found, "not_found", -32602, 404, 4},
      {ErrorCode::conflict, "conflict", -32603, 409, 4},
      {ErrorCode::limit_exceeded, "limit_exceeded", -32600, 413, 4},
      {ErrorCode::budget_too_small, "budget_too_small", -32602, 400, 5},
      {ErrorCode::protocol_violation, "protocol_violation", -32600, 400, 4},
      {ErrorCode::unauthorized, "unauthorized", -32600, 401, 4},
      {ErrorCode::timed_out, "timed_out", -32603, 504, 1},
      {ErrorCode::cancelled, "cancelled", -32603, 499, 1},
      {ErrorCode::unavailable, "unavailable", -32603, 503, 1},
      {ErrorCode::internal, "internal", -32603, 500, 1},
  };
  // A new code is the last one plus one; it needs a row here and in the table.
  EXPECT_EQ(std::size(rows), static_cast<std::size_t>(ErrorCode::internal) + 1);
  for (const Row& row : rows) {
    const ErrorMapping& mapped = mapping(row.code);
    EXPECT_EQ(mapped.name, row.name);
    EXPECT_EQ(mapped.json_rpc, row.json_rpc) << row.name;
    EXPECT_EQ(mapped.http_status, row.http_status) << row.name;
    EXPECT_EQ(mapped.exit_code, row.exit_code) << row.name;
  }
}

TEST(Result, carries_all_four_parts_of_a_failure) {
  const Result<int> failed =
      fail(ErrorCode::not_found, "no such contract", "--to", "see: enfold contracts");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error(),
            (Error{ErrorCode::not_found, "no such contract", "--to", "see: enfold contracts"}));
  EXPECT_EQ(Error{}.code, ErrorCode::internal) << "an error that nobody filled in is ours";
}

}  // namespace
}  // namespace enfold
