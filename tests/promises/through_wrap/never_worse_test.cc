// SPDX-License-Identifier: Apache-2.0
// What a client shows whole without the program, it shows whole behind `enfold wrap`, and what the
// program sends is never cut by the client. The limits here are those that were measured
// (docs/measurements/clients.md), not those of the program's profiles.
#include "enfold/base/text.h"
#include "enfold/json/write.h"
#include "tests/cli/program.h"
#include "tests/support/cases.h"

#include <fmt/core.h>
#include <random>
#include <sstream>

namespace enfold::cli {
namespace {

constexpr std::size_t kNone = std::string::npos;
// The profiles stay this far below the limits, because a client may write JSON in its own way, and
// the envelope needs room.
constexpr std::size_t kMargin = 420;
constexpr std::size_t kFailureMargin = 1'500;

struct Client {
  std::string name;
  bool prefers_structured;
  bool counts_bytes;  ///< else UTF-16 units
  std::size_t most;
  std::size_t most_of_failure;
  std::size_t most_lines;
};

const std::vector<Client>& clients() {
  static const std::vector<Client> all{
      {"claude-code", true, false, 50'000, 11'024, kNone},
      {"opencode", false, true, 51'200, kNone, 2'000},
      {"gemini-cli-mcp-client", false, false, 39'959, kNone, kNone},
  };
  return all;
}

std::size_t length(const std::string& text, const Client& client) {
  if (client.counts_bytes) return text.size();
  const auto four = std::count_if(text.begin(), text.end(),
                                  [](char c) { return static_cast<unsigned char>(c) >= 0xF0U; });
  return utf8::length(text) + static_cast<std::size_t>(four);
}

bool is_failure(json::View result) {
  const auto flag = result.find("isError");
  return flag && flag->is_boolean() && flag->boolean();
}

/// What the client gives its model.
std::string shown_text(json::View result, const Client& client) {
  const auto structured = result.find("structuredContent");
  if (client.prefers_structured && structured && !is_failure(result)) {
    return json::to_text(*structured);
  }
  std::string text;
  for (const json::View block : result.find("content")->items()) {
    if (const auto one = block.find("text")) text += one->string();
  }
  return text;
}

bool is_shown_whole(json::View result, const Client& client) {
  const std::string text = shown_text(result, client);
  if (is_failure(result)) return length(text, client) <= client.most_of_failure;
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  return length(text, client) <= client.most && lines <= client.most_lines;
}

/// The least that the answer takes as the payload of an envelope.
std::size_t least_length(json::View result, const Client& client) {
  if (const auto structured = result.find("structuredContent")) {
    return length(json::to_text(*structured), client);
  }
  const std::string text = result.find("content")->item(0)->find("text")->string();
  const auto parsed = json::parse(text);
  return length(parsed ? json::to_text(parsed->root()) : json::quote(text), client);
}

class Answers {
 public:
  explicit Answers(std::uint64_t seed) : random_(seed) {}

  std::string draw(const Client& client) {
    const bool fails = below(4) == 0;
    const std::size_t limit =
        fails && client.most_of_failure != kNone ? client.most_of_failure : client.most;
    // Half of them just below the limit, where the envelope matters.
    const std::size_t size =
        below(2) == 0 ? limit - below(limit / 8) : 16 + below(limit + limit / 4);
    json::Writer writer;
    writer.begin_object().key("content").begin_array();
    const std::size_t kind = below(4);
    const std::string text = kind == 0 ? prose(size, client) : records(size, client);
    const bool in_text = kind != 3 || fails || client.name.starts_with("gemini");
    if (in_text) writer.begin_object().member("type", "text").member("text", text).end_object();
    writer.end_array();
    if (kind >= 2 && !fails) writer.key("structuredContent").value(json::parse(text)->root());
    if (fails) writer.member("isError", true);
    return writer.end_object(), std::move(writer).finish().str();
  }

 private:
  std::size_t below(std::size_t limit) { return random_() % limit; }

  std::string prose(std::size_t size, const Client& client) {
    static const std::vector<std::string> words{"order ", "\"quoted\" ", "störung ", "заказ ",
                                                "河川 ",  "🙂 ",         "line\n",   "path\\to "};
    const std::size_t plain = below(words.size());
    std::string text;
    while (length(text, client) + 12 < size) {
      for (int i = 0; i < 20; ++i)
        text += below(3) == 0 ? words[below(words.size())] : words[plain];
      if (text.size() > 4 * size) break;
    }
    std::size_t end = text.size();
    while (end > 0 && length(text.substr(0, end), client) > size)
      end -= std::max<std::size_t>(1, end / 50);
    while (end > 0 && (static_cast<unsigned char>(text[end % text.size()]) & 0xC0U) == 0x80U) --end;
    return text.substr(0, end);
  }

  std::string records(std::size_t size, const Client& client) {
    std::string text = R"({"items":[)";
    for (int i = 0; length(text, client) + 120 < size; ++i) {
      text += fmt::format(
          R"({}{{"id":{},"name":"item {}","state":"{}","note":"größer \"als\" {}"}})",
          i == 0 ? "" : ",", i, below(1'000), below(2) == 0 ? "open" : "done", below(100'000));
    }
    return text + "]}";
  }

  std::mt19937_64 random_;
};

class NeverWorse : public ProgramTest {};

TEST_F(NeverWorse, never_worse) {
  const auto cases = static_cast<std::size_t>(testing::property_cases(600, 20'000));
  constexpr std::size_t kAtATime = 100;
  Answers answers(11 + testing::given_seed());
  std::size_t whole = 0;
  std::size_t cut = 0;
  for (std::size_t done = 0; done < cases; done += kAtATime) {
    for (const Client& client : clients()) {
      std::vector<std::string> results;
      std::string file;
      std::string input = fmt::format(
          R"({{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{{"protocolVersion":)"
          R"("2025-06-18","clientInfo":{{"name":"{}","version":"1"}},"capabilities":{{}}}}}})"
          "\n"
          R"({{"jsonrpc":"2.0","method":"notifications/initialized"}})"
          "\n",
          client.name);
      for (std::size_t n = 0; n != kAtATime; ++n) {
        results.push_back(answers.draw(client));
        file += results.back() + "\n";
        input += fmt::format(
            R"({{"jsonrpc":"2.0","id":{0},"method":"tools/call","params":{{"name":"strange","arguments":{{"n":{0}}}}}}})"
            "\n",
            n);
      }
      write("results", file);
      const Ended ended =
          enfold({"wrap", "--archive", "archive", "--", ENFOLD_TEST_SERVER, "results"}, input);
      ASSERT_EQ(ended.exit_code, 0) << ended.err;
      std::size_t seen = 0;
      std::istringstream lines(ended.out);
      for (std::string line; std::getline(lines, line);) {
        const auto message = json::parse(line);
        const auto id = message->root().find("id");
        const auto result = message->root().find("result");
        if (!id || !id->is_number() || !result) continue;
        ++seen;
        const std::string& raw = results[static_cast<std::size_t>(*id->integer())];
        const auto sent = json::parse(raw);
        EXPECT_TRUE(is_shown_whole(*result, client))
            << client.name << " cuts what the program sends: " << raw.substr(0, 300);
        const bool was_cut = line.find("content_fidelity") != std::string::npos;
        const bool fails = is_failure(sent->root());
        const std::size_t limit = fails ? client.most_of_failure : client.most;
        const std::size_t margin = fails ? kFailureMargin : kMargin;
        const bool was_whole = is_shown_whole(sent->root(), client);
        (was_cut ? cut : whole) += 1;
        if (!was_whole || !was_cut) continue;
        const bool too_long = limit != kNone && least_length(sent->root(), client) + margin > limit;
        EXPECT_TRUE(too_long) << client.name << " would have shown it whole ("
                              << least_length(sent->root(), client) << " of " << limit
                              << "): " << raw.substr(0, 300);
      }
      EXPECT_EQ(seen, results.size());
    }
  }
  std::printf("[ figures  ] never_worse: %zu whole, %zu cut\n", whole, cut);
}

}  // namespace
}  // namespace enfold::cli
