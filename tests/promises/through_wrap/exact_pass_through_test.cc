// SPDX-License-Identifier: Apache-2.0
// A thousand results that no sensible server would write, through `enfold wrap`.
#include "enfold/json/document.h"
#include "tests/cli/program.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::cli {
namespace {

constexpr std::uint64_t kSeed = 8'267'001;
constexpr std::size_t kResults = 1'000;

/// Writes results of tool calls that are legal JSON on one line, and otherwise as odd as can be. A
/// line feed cannot be sent over stdio, where it ends a message: tests/mcp/relay_test.cc has those.
class StrangeResults {
 public:
  explicit StrangeResults(std::uint64_t seed) : random_(seed) {}

  std::string next() {
    std::vector<std::string> members;
    if (choose(10) != 0) members.push_back(member("content", content()));
    if (choose(2) == 0) members.push_back(member("structuredContent", object(0)));
    if (choose(4) == 0) members.push_back(member("isError", choose(2) == 0 ? "true" : "false"));
    if (choose(4) == 0) members.push_back(member("_meta", object(1)));
    if (choose(8) == 0) members.push_back(member("resultType", R"("complete")"));
    for (std::size_t i = choose(4); i != 0; --i) members.push_back(odd_member(0));
    if (choose(5) == 0) members.push_back(member("futureMember", value(0)));
    if (choose(25) == 0) members.push_back(member("deep", nested(1 + choose(480))));
    if (choose(50) == 0) members.push_back(member("large", large()));
    if (choose(8) == 0 && !members.empty()) members.push_back(members[choose(members.size())]);
    std::shuffle(members.begin(), members.end(), random_);
    return joined("{", members, "}");
  }

 private:
  std::size_t choose(std::size_t options) { return random_() % options; }
  template <std::size_t N>
  std::string pick(const std::array<std::string_view, N>& list) {
    return std::string(list[choose(N)]);
  }

  std::string space() {
    static constexpr std::array<std::string_view, 8> spaces = {"",  "",   "",   "",
                                                               " ", "\t", "\r", " \t  "};
    return pick(spaces);
  }
  std::string number() {
    static constexpr std::array<std::string_view, 16> numbers = {
        "0",
        "-0",
        "1E+02",
        "1e400",
        "-1e-400",
        "0.10",
        "1.0",
        "1E2",
        "1e0",
        "-0.0",
        "0e+0",
        "100",
        "1E-00",
        "2.5e3",
        "9007199254740993",
        "123456789012345678901234567890.000"};
    return pick(numbers);
  }
  std::string string() {
    static constexpr std::array<std::string_view, 24> pieces = {
        "plain",
        "\\/",
        "/",
        "\\u0041",
        "\\u00e9",
        "\\u00E9",
        "\u00e9",
        "\\ud800",
        "\\uDC00",
        "\\ud83d\\ude00",
        "\U0001F600",
        "\\uD83D\\uDE00",
        "\\b\\f",
        "\\n\\r\\t",
        "\\u000a",
        "\x7f",
        "\u2028",
        "\\u2028",
        "\\u0000",
        "\\\"",
        "\\\\",
        "\\u005c",
        "password=hunter2 ",
        "{\\\"success\\\":true,\\\"data\\\":1E+02}"};
    std::string text = "\"";
    for (std::size_t i = choose(5); i != 0; --i) text += pick(pieces);
    return text + "\"";
  }
  std::string key() {
    static constexpr std::array<std::string_view, 8> keys = {
        R"("a")",      R"("\u0061")", R"("a")",    R"("")",
        R"("\ud800")", R"("text")",   R"("type")", R"("x/y~z")"};
    return pick(keys);
  }
  std::string value(std::size_t depth) {
    static constexpr std::array<std::string_view, 3> words = {"null", "true", "false"};
    switch (choose(depth < 4 ? 7 : 4)) {
      case 0: return pick(words);
      case 1: return number();
      case 2:
      case 3: return string();
      case 4: return array(depth + 1);
      default: return object(depth + 1);
    }
  }
  std::string array(std::size_t depth) {
    std::vector<std::string> items(choose(5));
    for (std::string& item : items) item = value(depth);
    return joined("[", items, "]");
  }
  std::string odd_member(std::size_t depth) {
    return key() + space() + ":" + space() + value(depth);
  }
  std::string member(std::string_view name, const std::string& value) {
    return fmt::format("\"{}\"{}:{}{}", name, space(), space(), value);
  }
  /// Keys may stand several times.
  std::string object(std::size_t depth) {
    std::vector<std::string> members(choose(5));
    for (std::string& each : members) each = odd_member(depth);
    return joined("{", members, "}");
  }
  std::string content() {
    std::vector<std::string> blocks(choose(4));
    for (std::string& each : blocks) each = block();
    return joined("[", blocks, "]");
  }
  std::string block() {
    std::vector<std::string> members;
    switch (choose(5)) {
      case 0:
        members = {member("type", R"("image")"), member("data", R"("aGVsbG8\u003d")"),
                   member("mimeType", R"("image\/png")")};
        break;
      case 1: members = {member("type", R"("hologram")"), member("light", value(2))}; break;
      case 2:
        members = {member("type", R"("resource")"),
                   member("resource", R"({"uri":"file:\/\/\/x", "text" : "\u0041"})")};
        break;
      default: members = {member("type", R"("text")"), member("text", string())};
    }
    if (choose(4) == 0) members.push_back(odd_member(2));
    std::shuffle(members.begin(), members.end(), random_);
    return joined("{", members, "}");
  }
  std::string nested(std::size_t depth) {
    std::string text;
    for (std::size_t i = 0; i != depth; ++i) text += i % 2 == 0 ? "[" : R"({"n": )";
    text += number();
    for (std::size_t i = depth; i != 0; --i) text += (i - 1) % 2 == 0 ? "]" : "}";
    return text;
  }
  std::string large() {
    std::string text = "\"";
    const std::size_t size = 1U << (10 + choose(11));
    while (text.size() < size) text += string().substr(1), text.pop_back();
    return text + "\"";
  }
  std::string joined(std::string_view open, const std::vector<std::string>& parts,
                     std::string_view close) {
    std::string text = std::string(open) + space();
    for (std::size_t i = 0; i != parts.size(); ++i) {
      if (i != 0) text += space() + "," + space();
      text += parts[i];
    }
    return text + space() + std::string(close);
  }

  std::mt19937_64 random_;
};

class ExactPassThrough : public ProgramTest {
 protected:
  static std::string opening() {
    return R"({"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":)"
           R"("2025-06-18","clientInfo":{"name":"tester","version":"1"},"capabilities":{}}})"
           "\n"
           R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
           "\n";
  }
  static std::string call(std::size_t n) {
    return fmt::format(
        R"({{"jsonrpc":"2.0","id":{0},"method":"tools/call","params":{{"name":"strange","arguments":{{"n":{0}}}}}}})"
        "\n",
        n);
  }
  /// The bytes of every `result`, by id.
  static std::map<std::string, std::string> results_of(const std::string& output) {
    std::map<std::string, std::string> found;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
      const auto message = json::parse(line);
      if (!message) continue;
      const auto id = message->root().find("id");
      const auto result = message->root().find("result");
      if (id) found.emplace(id->raw(), result ? std::string(result->raw()) : line);
    }
    return found;
  }
};

// With contract `none` and without redaction every result reaches the client as the server wrote
// it.
TEST_F(ExactPassThrough, a_thousand_strange_results_pass_wrap_byte_for_byte) {
  StrangeResults strange(kSeed);
  std::vector<std::string> sent(kResults);
  std::string file;
  std::string input = opening();
  for (std::size_t n = 0; n != kResults; ++n) {
    sent[n] = strange.next();
    ASSERT_TRUE(json::parse(sent[n]).has_value()) << "result " << n << " is no JSON: " << sent[n];
    file += sent[n] + "\n";
    input += call(n);
  }
  write("results", file);

  const Ended ended = enfold({"wrap", "--contract", "none", "--no-redact", "--archive", "none",
                              "--", ENFOLD_TEST_SERVER, "results"},
                             input);
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const auto got = results_of(ended.out);
  std::size_t different = 0;
  for (std::size_t n = 0; n != kResults; ++n) {
    const auto found = got.find(std::to_string(n));
    const std::string result = found == got.end() ? "no answer" : found->second;
    if (result == sent[n]) continue;
    if (++different <= 5) {
      ADD_FAILURE() << "result " << n << "\n sent " << sent[n].substr(0, 400) << "\n got  "
                    << result.substr(0, 400);
    }
  }
  EXPECT_EQ(different, 0U) << "of " << kResults << ", seed " << kSeed;
}

}  // namespace
}  // namespace enfold::cli
