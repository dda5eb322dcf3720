// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/shape.h"
#include "tests/support/answers.h"
#include "tests/support/cases.h"
#include "tests/support/goldens.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace enfold::answer {
namespace {

// Counted by the peer, in one process for all texts.
std::vector<int> count_tokens(const std::vector<std::string>& texts) {
  const testing::Path folder = std::filesystem::temp_directory_path() /
                               ("enfold_cheap_envelope_" +
                                std::to_string(::testing::UnitTest::GetInstance()->random_seed()));
  std::filesystem::create_directories(folder);
  {
    std::ofstream lines(folder / "texts.jsonl");
    for (const std::string& text : texts) lines << json::quote(text) << '\n';
  }
  const std::string peers = ENFOLD_PEERS;
  const std::string command =
      peers + "/node_modules/.bin/node " + peers + "/count_tokens.mjs o200k_base < " +
      (folder / "texts.jsonl").string() + " > " + (folder / "counts").string();
  EXPECT_EQ(std::system(command.c_str()), 0)
      << "the peer did not run: tools/setup peers installs it";
  std::istringstream counts(testing::read_file(folder / "counts"));
  std::vector<int> out;
  for (int count = 0; counts >> count;) out.push_back(count);
  std::filesystem::remove_all(folder);
  return out;
}

std::string enveloped(const json::Value& payload, const std::string& request_id) {
  json::Writer writer;
  writer.begin_object().key("content").begin_array().end_array();
  writer.key("structuredContent").value(payload).end_object();
  const auto document = json::parse(std::move(writer).finish().str());
  const auto answer = answer::read_answer(*document, contract::Id::mcp, {},
                                          {.tool = "tool", .request_id = request_id});
  return answer::write_envelope(*answer, {})->str();
}

// The empty payload is one token by itself and has nothing to share the brackets with.
TEST(Promise, cheap_envelope_around_nothing_is_21_tokens) {
  EXPECT_EQ(count_tokens({enveloped(json::parse_own("{}"), "")}), std::vector<int>{21});
}

// An object payload costs at most 19 tokens more inside response-v2, 38 with a request id.
TEST(Promise, cheap_envelope) {
  std::vector<std::string> texts;
  const int cases = testing::property_cases(2'000, 100'000);
  testing::check_property("cheap_envelope", cases, [&] {
    json::Value payload = testing::draw_object(4);
    // Members that read like a failure earn a warning, which is not the envelope's cost.
    const auto reading = contract::read(contract::Id::json, payload.view());
    const bool plain = payload->size() != 0 && !payload->find("error") &&
                       !payload->find("success") && succeeded(reading->response) &&
                       reading->response.warnings.empty();
    if (!plain) payload = json::parse_own(R"({"result":[1,2,3]})");
    texts.push_back(json::to_text(payload.view()));
    texts.push_back(enveloped(payload, ""));
    texts.push_back(enveloped(payload, "req_0123456789ab"));
  });
  const std::vector<int> counts = count_tokens(texts);
  ASSERT_EQ(counts.size(), texts.size());
  ASSERT_GE(counts.size(), static_cast<std::size_t>(3 * cases));
  int most = 0;
  int most_with_id = 0;
  for (std::size_t i = 0; i < counts.size(); i += 3) {
    most = std::max(most, counts[i + 1] - counts[i]);
    most_with_id = std::max(most_with_id, counts[i + 2] - counts[i]);
    ASSERT_LE(counts[i + 1] - counts[i], 19) << texts[i + 1];
    ASSERT_LE(counts[i + 2] - counts[i], 38) << texts[i + 2];
  }
  std::printf("cheap_envelope: at most %d tokens added, %d with a request id, over %d payloads\n",
              most, most_with_id, cases);
}

}  // namespace
}  // namespace enfold::answer
