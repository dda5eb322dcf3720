// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/peer/client_peer.h"

#include <gtest/gtest.h>

namespace enfold::mcp {
namespace {

using Timeouts = OpenCalls::Timeouts;
using Keys = std::vector<CallKey>;

constexpr CallKey kOne{1};
constexpr CallKey kTwo{2};

CallOptions with_timeouts(Time idle, Time whole = Time(0)) {
  CallOptions options;
  options.method = "tools/call";
  options.idle_timeout = idle;
  options.call_timeout = whole;
  return options;
}

TEST(OpenCalls, the_next_deadline_is_the_earliest_of_all_calls) {
  OpenCalls calls;
  EXPECT_EQ(calls.next_deadline(Timeouts::all), std::nullopt);
  calls.add(kOne, Id(1), with_timeouts(Time(50)), Time(0));
  calls.add(kTwo, Id(2), with_timeouts(Time(0), Time(70)), Time(0));
  EXPECT_EQ(calls.next_deadline(Timeouts::all), Time(50));
  EXPECT_EQ(calls.next_deadline(Timeouts::without_idle), Time(70));
  calls.remove(kOne);
  EXPECT_EQ(calls.next_deadline(Timeouts::all), Time(70));
  calls.remove(kTwo);
  EXPECT_EQ(calls.next_deadline(Timeouts::all), std::nullopt);
}

TEST(OpenCalls, activity_moves_the_idle_deadline_and_not_the_other) {
  OpenCalls calls;
  calls.add(kOne, Id(1), with_timeouts(Time(50), Time(90)), Time(0));
  calls.touch(kOne, Time(30));
  EXPECT_EQ(calls.next_deadline(Timeouts::all), Time(80));
  calls.touch_all(Time(60));
  EXPECT_EQ(calls.next_deadline(Timeouts::all), Time(90));
  EXPECT_EQ(calls.late(Time(89), Timeouts::all), Keys());
  EXPECT_EQ(calls.late(Time(120), Timeouts::all), Keys{kOne});
}

TEST(OpenCalls, late_calls_come_in_the_order_of_their_keys) {
  OpenCalls calls;
  calls.add(kTwo, Id(1), with_timeouts(Time(10)), Time(0));
  calls.add(kOne, Id(2), with_timeouts(Time(20), Time(15)), Time(0));
  EXPECT_EQ(calls.late(Time(10), Timeouts::all), Keys{kTwo});
  EXPECT_EQ(calls.late(Time(20), Timeouts::all), (Keys{kOne, kTwo}));
  EXPECT_EQ(calls.late(Time(20), Timeouts::without_idle), Keys{kOne});
}

TEST(OpenCalls, a_cancelled_call_ends_an_idle_timeout_later_whatever_progress_comes) {
  OpenCalls calls;
  calls.add(kOne, Id(1), with_timeouts(Time(50), Time(900)), Time(0));
  calls.cancel(kOne, Time(30));
  calls.touch(kOne, Time(60));
  EXPECT_EQ(calls.next_deadline(Timeouts::without_idle), Time(80));
  EXPECT_EQ(calls.late(Time(80), Timeouts::all), Keys{kOne});
  calls.remove(kOne);
  EXPECT_EQ(calls.next_deadline(Timeouts::all), std::nullopt);
}

TEST(OpenCalls, a_cancelled_call_does_not_get_more_time_than_it_had) {
  OpenCalls calls;
  calls.add(kOne, Id(1), with_timeouts(Time(50), Time(60)), Time(0));
  calls.cancel(kOne, Time(30));
  EXPECT_EQ(calls.next_deadline(Timeouts::all), Time(60));
}

TEST(OpenCalls, a_call_is_not_idle_while_inputs_are_missing) {
  OpenCalls calls;
  calls.add(kOne, Id(1), with_timeouts(Time(50)), Time(0));
  calls.require_inputs(kOne, 1, "state", Time(10));
  EXPECT_EQ(calls.next_deadline(Timeouts::all), std::nullopt);
  EXPECT_EQ(calls.awaiting(Id(1)), std::nullopt);
  calls.add_input(kOne, "roots", json::parse_own("{}"));
  const OpenCall& call = calls.start_round(kOne, Id(2), Time(200));
  EXPECT_EQ(call.rounds, 1U);
  EXPECT_EQ(call.inputs.state, "state");
  EXPECT_EQ(calls.next_deadline(Timeouts::all), Time(250));
  EXPECT_EQ(calls.with_id(Id(1)), std::nullopt);
  EXPECT_EQ(calls.awaiting(Id(2)), kOne);
}

TEST(OpenCalls, a_string_and_a_number_are_two_ids) {
  OpenCalls calls;
  calls.add(kOne, Id(1), with_timeouts(Time(50)), Time(0));
  EXPECT_EQ(calls.with_id(Id(1)), kOne);
  EXPECT_EQ(calls.with_id(Id("1")), std::nullopt);
  calls.clear();
  EXPECT_EQ(calls.with_id(Id(1)), std::nullopt);
  EXPECT_EQ(calls.size(), 0U);
}

}  // namespace
}  // namespace enfold::mcp
