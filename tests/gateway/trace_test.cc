// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/observe/trace.h"

#include "enfold/json/write.h"

#include <gtest/gtest.h>

namespace enfold::gateway {
namespace {

const std::string kTrace = "0af7651916cd43dd8448eb211c80319c";
const std::string kStep = "b7ad6b7169203331";
const std::string kGood = "00-" + kTrace + "-" + kStep + "-01";

TEST(Trace, is_read_as_the_recommendation_has_it) {
  struct Case {
    const char* name;
    std::string parent;
    bool good;
  };
  const Case cases[] = {
      {"as it should be", kGood, true},
      {"white space around", " " + kGood + "\t", true},
      {"a later version", "cc" + kGood.substr(2), true},
      {"a later version that says more", "cc" + kGood.substr(2) + "-what", true},
      {"a later version with something stuck to it", "cc" + kGood.substr(2) + "x", false},
      {"version 00 that says more", kGood + "-what", false},
      {"version ff", "ff" + kGood.substr(2), false},
      {"capitals", "00-0AF7651916CD43DD8448EB211C80319C-" + kStep + "-01", false},
      {"no trace", "00-" + std::string(32, '0') + "-" + kStep + "-01", false},
      {"no parent", "00-" + kTrace + "-" + std::string(16, '0') + "-01", false},
      {"too short", kGood.substr(0, 54), false},
      {"other marks", "00_" + kTrace + "_" + kStep + "_01", false},
      {"flags that are no number", kGood.substr(0, 53) + "0g", false},
      {"nothing", "", false},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const auto trace = read_trace(one.parent, "");
    ASSERT_EQ(trace.has_value(), one.good);
    if (trace) {
      EXPECT_EQ(*trace, (TraceContext{kTrace, kStep, "01", ""}));
    }
  }
  EXPECT_EQ(write_traceparent(*read_trace(kGood, "")), kGood);
}

TEST(Trace, keeps_the_state_of_vendors_when_it_is_valid) {
  struct Case {
    const char* name;
    std::string state;
    bool good;
  };
  std::string many;
  for (int i = 0; i < 33; ++i) many += "k" + std::to_string(i) + "=v,";
  const Case cases[] = {
      {"one", "congo=t61rcWkgMzE", true},
      {"several, of several vendors", "rojo=00f067aa0ba902b7, fw529a3039@dt=FfMxY-1;2", true},
      {"an empty member", "a=1,,b=2", true},
      {"no value", "a", false},
      {"capitals in a key", "A=1", false},
      {"two equal signs", "a=b=c", false},
      {"control characters", "a=\x01", false},
      {"too many members", many, false},
      {"too long", "a=" + std::string(257, 'x'), false},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const auto trace = read_trace(kGood, one.state);
    ASSERT_TRUE(trace) << "the trace itself is good";
    EXPECT_EQ(trace->state, one.good ? one.state : "");
  }
}

mcp::Call call(const std::string& params, const std::string& header = "") {
  mcp::Call out;
  out.raw_params = json::parse_own(params);
  out.traceparent = header;
  out.tracestate = header.empty() ? "" : "of=header";
  return out;
}

TEST(Trace, of_a_call_is_that_of_its_meta_before_that_of_its_headers) {
  const std::string other = "00-" + std::string(32, '1') + "-" + kStep + "-00";
  const std::string meta = R"({"_meta":{"traceparent":")" + kGood + R"(","tracestate":"a=1"}})";
  EXPECT_EQ(trace_of(call(meta, other)), (TraceContext{kTrace, kStep, "01", "a=1"}));
  EXPECT_EQ(trace_of(call("{}", other))->trace_id, std::string(32, '1'));
  EXPECT_EQ(trace_of(call("{}", other))->state, "of=header");
  EXPECT_EQ(trace_of(call(R"({"_meta":{"traceparent":"x"}})", other))->flags, "00");
  EXPECT_EQ(trace_of(call(R"({"_meta":{"traceparent":7}})")), std::nullopt);
  EXPECT_EQ(trace_of(call("{}")), std::nullopt);
}

TEST(Trace, goes_on_as_a_step_of_its_own) {
  const TraceContext next =
      child_context({kTrace, kStep, "01", "a=1"}, {1, 2, 3, 4, 5, 6, 7, 0xff});
  EXPECT_EQ(next, (TraceContext{kTrace, "01020304050607ff", "01", "a=1"}));
  EXPECT_EQ(child_context(next, {}).parent_id, "0000000000000001") << "all zeros would be invalid";
}

TEST(Trace, stands_in_meta_beside_what_was_there) {
  const TraceContext trace{kTrace, kStep, "01", "a=1"};
  const auto put = [](const std::string& params, const std::optional<TraceContext>& what) {
    return json::to_text(with_trace(json::parse_own(params), what).view());
  };
  const std::string both = R"("traceparent":")" + kGood + R"(","tracestate":"a=1")";
  EXPECT_EQ(put(R"({"name":"x"})", trace), R"({"name":"x","_meta":{)" + both + "}}");
  EXPECT_EQ(put(R"({"_meta":{"traceparent":"old","k":1}})", trace),
            R"({"_meta":{"traceparent":")" + kGood + R"(","k":1,"tracestate":"a=1"}})");
  EXPECT_EQ(put(R"({"_meta":{"traceparent":"bad","tracestate":"b","k":1}})", std::nullopt),
            R"({"_meta":{"k":1}})");
  EXPECT_EQ(put(R"({"a":1.0})", std::nullopt), R"({"a":1.0})");
  EXPECT_EQ(put("null", trace), R"({"_meta":{)" + both + "}}");
}

TEST(Trace, has_headers_of_its_own) {
  const std::vector<mcp::Header> both{{"traceparent", kGood}, {"tracestate", "a=1"}};
  EXPECT_EQ(trace_headers({kTrace, kStep, "01", "a=1"}), both);
  EXPECT_EQ(trace_headers({kTrace, kStep, "01", ""}).size(), 1U);
}

}  // namespace
}  // namespace enfold::gateway
