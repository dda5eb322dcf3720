// SPDX-License-Identifier: Apache-2.0
// Failure messages of many systems, of which kind each is, and whether the same call can succeed
// later: tests/golden/failures/messages.json.
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/reading/failure_kind.h"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace enfold::contract {
namespace {

using model::ErrorKind;

json::Value messages(const std::string& file = "messages.json") {
  std::ifstream in(std::filesystem::path(ENFOLD_SOURCE_DIR) / "tests/golden/failures" / file);
  std::stringstream text;
  text << in.rdbuf();
  return json::parse_own(text.str());
}

ErrorKind kind_of_message(std::string_view message) {
  return kind_of_failure({.code = {}, .status = {}, .message = message}).kind;
}

std::string name_of(ErrorKind kind) {
  const bool input = kind == ErrorKind::bad_path || kind == ErrorKind::correctable;
  return std::string(model::name(input ? ErrorKind::bad_input : kind));
}

// Whether a kind whose retry is stated so can have a message that says `can_succeed_later`. Of what
// needs a check, and of defects, some pass by themselves and some do not.
bool agrees(ErrorKind kind, bool can_succeed_later) {
  if (kind == ErrorKind::bug) return true;
  switch (traits(kind).retry) {
    case Retry::no: return !can_succeed_later;
    case Retry::after_check: return true;
    case Retry::after_delay:
    case Retry::with_backoff: break;
  }
  return can_succeed_later;
}

TEST(FailureMessages, of_many_systems_are_of_the_kind_that_they_mean) {
  const json::Value all = messages();
  EXPECT_GE(all->size(), 120U);
  for (const json::View one : all->items()) {
    const std::string message = one.find("message")->string();
    const ErrorKind kind = kind_of_message(message);
    EXPECT_EQ(name_of(kind), one.find("kind")->string()) << message;
    EXPECT_TRUE(agrees(kind, one.find("retry")->boolean())) << model::name(kind) << ": " << message;
  }
}

// Written without sight of the first set and of the tables; docs/measurements/reading.md has the
// figure of the first run.
TEST(FailureMessages, of_a_second_set_are_of_the_kind_that_they_mean) {
  const json::Value all = messages("second_set.json");
  std::size_t right = 0;
  for (const json::View one : all->items()) {
    const std::string message = one.find("message")->string();
    const ErrorKind kind = kind_of_message(message);
    const bool same = name_of(kind) == one.find("kind")->string();
    EXPECT_TRUE(same) << model::name(kind) << ", not " << one.find("kind")->string() << ": "
                      << message;
    const bool agreed = agrees(kind, one.find("retry")->boolean());
    EXPECT_TRUE(agreed) << model::name(kind) << ": " << message;
    right += same && agreed ? 1 : 0;
  }
  fmt::print("[ second   ] {} of {} right\n", right, all->size());
}

// Output of `lines` lines that says nothing about a failure.
std::string filler(int lines, std::string_view line) {
  std::string out;
  for (int i = 0; i < lines; ++i) out += fmt::format("{} {}\n", line, i);
  return out;
}

// The same failure, among frames or output of any length.
std::vector<std::string> forms_of(const std::string& message, int lines) {
  const std::string frame = "  File \"/srv/app.py\", line 7, in step\n    return step";
  return {
      message + "\n" + filler(lines, "    at com.acme.Step.run(Step.java:7)"),
      "Traceback (most recent call last):\n" + filler(lines, frame) + message,
      filler(lines, "compiled part") + message + "\n",
  };
}

TEST(FailureMessages, of_any_length_are_of_one_kind) {
  const json::Value all = messages();
  for (const json::View one : all->items()) {
    const std::string message = one.find("message")->string();
    // A text whose telling line is neither its first nor its last, nor begins as failures do,
    // cannot be told from the output before it.
    const bool one_line = message.find('\n') == std::string::npos;
    if (message.starts_with("Traceback") || message.starts_with(' ')) continue;
    const std::string want = name_of(kind_of_message(message));
    for (const int lines : {1, 30, 5000}) {
      const std::vector<std::string> forms = forms_of(message, lines);
      for (std::size_t form = 0; form < forms.size(); ++form) {
        if (form == 2 && !one_line) continue;
        EXPECT_EQ(name_of(kind_of_message(forms[form])), want)
            << "form " << form << ", " << lines << " lines: " << message;
      }
    }
  }
}

TEST(ErrorKinds, have_a_remediation_that_names_a_retry_only_where_one_helps) {
  for (std::size_t i = 0; i < model::Names<ErrorKind>::values.size(); ++i) {
    const KindTraits& kind = traits(static_cast<ErrorKind>(i));
    const std::string text(kind.remediation);
    EXPECT_TRUE(text.ends_with('.')) << text;
    EXPECT_EQ(std::ranges::count(text, '.'), 1) << "one sentence: " << text;
    EXPECT_LE(text.size(), 100U) << text;
    const bool retry = text.find("later") != std::string::npos ||
                       text.find("Wait") != std::string::npos ||
                       text.find("retry") != std::string::npos;
    EXPECT_EQ(retry, kind.retry == Retry::after_delay || kind.retry == Retry::with_backoff) << text;
  }
}

TEST(ErrorKinds, have_the_remediation_of_the_reference) {
  std::ifstream in(std::filesystem::path(ENFOLD_SOURCE_DIR) / "docs/reference/contracts/errors.md");
  std::stringstream page;
  page << in.rdbuf();
  constexpr std::array names{"no", "after a check", "after the delay", "with backoff"};
  for (std::size_t i = 0; i < model::Names<ErrorKind>::values.size(); ++i) {
    const KindTraits& kind = traits(static_cast<ErrorKind>(i));
    const std::string row =
        fmt::format("| {} | {} | {} |\n", model::name(kind.kind),
                    names.at(static_cast<std::size_t>(kind.retry)), kind.remediation);
    EXPECT_NE(page.str().find(row), std::string::npos) << row;
  }
}

TEST(ErrorKinds, have_a_remediation_with_the_time_to_wait_if_it_is_known) {
  model::Failure failure{.kind = ErrorKind::throttled, .retry_after = model::Number::of(17)};
  EXPECT_EQ(remediation_for(failure), "Wait 17 seconds before the next call.");
  failure.kind = ErrorKind::missing;
  EXPECT_EQ(remediation_for(failure), traits(ErrorKind::missing).remediation);
}

TEST(WaitingTime, is_a_number_of_json_however_it_is_written) {
  const auto wait = [](std::string_view text) {
    const auto found = retry_after_of(text);
    return found ? found->text : "none";
  };
  EXPECT_EQ(wait("rate limited, retry after 007 seconds"), "7");
  EXPECT_EQ(wait("retry after 0"), "0");
  EXPECT_EQ(wait("retry after 00.50 s"), "0.50");
  EXPECT_EQ(wait("Try again in 12."), "12");
  EXPECT_EQ(wait("retry in 1.2.3"), "none");
  EXPECT_EQ(wait("please wait 2 minutes"), "120");
  EXPECT_EQ(wait("please wait 2 more minutes."), "120");
  EXPECT_EQ(wait("try again in 2 hours"), "7200");
  EXPECT_EQ(wait("Please try again in 6m0s. Visit the page"), "360");
  EXPECT_EQ(wait("Please try again in 20.5s, or 7 times"), "20.5");
  EXPECT_EQ(wait("available in 1h 30m"), "5400");
  EXPECT_EQ(wait("retry after 500ms"), "1");
  EXPECT_EQ(wait("retry after 3 attempts"), "3");
  EXPECT_EQ(waiting_time("retryAfterMs", "900")->text, "1");
  EXPECT_EQ(waiting_time("wait_minutes", "1.5")->text, "90");
  EXPECT_EQ(waiting_time("retry_after", "2m")->text, "120");
  EXPECT_EQ(waiting_time("retry_after", "2 days later"), std::nullopt);
  EXPECT_EQ(waiting_time("retry_after", "1h 5"), std::nullopt);
  EXPECT_EQ(waiting_time("retry_wait_min", "1"), std::nullopt);
  EXPECT_EQ(waiting_time("retry_after", "1.2.3"), std::nullopt);
  EXPECT_EQ(waiting_time("retry_after", "010s")->text, "10");
}

}  // namespace
}  // namespace enfold::contract
