// SPDX-License-Identifier: Apache-2.0
#include "tests/support/goldens.h"
#include "tests/transcripts/stage.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

namespace enfold::transcripts {
namespace {

using enfold::testing::entries_of;
using enfold::testing::Path;
using enfold::testing::read_file;

std::vector<Path> files() {
  return entries_of(Path(ENFOLD_SOURCE_DIR) / "tests/transcripts/cases");
}

void every_file_holds(Over over, std::size_t at_least) {
  std::size_t played = 0;
  for (const Path& file : files()) {
    const std::string text = read_file(file);
    if (!is_played(text, over)) continue;
    ++played;
    for (const std::string& complaint : play(text, over)) {
      ADD_FAILURE() << file.filename().string() << " " << complaint;
    }
  }
  EXPECT_GE(played, at_least);
}

TEST(Transcript, every_file_holds_in_memory) {
  if (std::getenv("ENFOLD_UPDATE_GOLDEN") != nullptr) {
    for (const Path& file : files()) {
      const std::string text = rewritten(read_file(file));
      std::ofstream(file, std::ios::binary) << text;
    }
  }
  every_file_holds(Over::memory, files().size());
}

TEST(Transcript, every_file_holds_over_stdio) { every_file_holds(Over::stdio, 30); }

TEST(Transcript, every_file_holds_over_http) { every_file_holds(Over::http, 30); }

TEST(Transcript, a_wrong_line_and_a_missing_line_are_noticed) {
  const std::string head = R"({"peer":"server","over":["memory","stdio","http"]})"
                           "\n";
  const std::string asks = R"({"do":"receive","message":{"jsonrpc":"2.0","id":1,"method":)"
                           R"("server/discover","params":{"_meta":{)"
                           R"("io.modelcontextprotocol/protocolVersion":"2099-01-01",)"
                           R"("io.modelcontextprotocol/clientCapabilities":{}}}}})"
                           "\n";
  for (const Over over : {Over::memory, Over::stdio, Over::http}) {
    SCOPED_TRACE(name(over));
    EXPECT_EQ(play(head + asks, over).size(), 1U);
    EXPECT_EQ(
        play(head + asks + R"({"see":"send","call":1,"last":true,"message":{}})", over).size(), 1U);
    const auto nothing = play(head + R"({"see":"send","message":{}})", over);
    ASSERT_EQ(nothing.size(), 1U);
    EXPECT_EQ(nothing[0], "line 2: expected {\"see\":\"send\",\"message\":{}}\n     found nothing");
  }
}

TEST(Transcript, rewriting_keeps_what_holds_and_what_is_played_elsewhere) {
  const std::string text = R"({"peer":"server","over":["memory","http"]}
{"do":"receive","message":{"jsonrpc":"2.0","id":"p","method":"ping"},"over":["memory"]}
{"see":"send","call":1,"last":true,"over":["memory"],"message":{"jsonrpc":"2.0","id":"p","result":{}}}
{"do":"receive","over":["http"],"message":{}}
{"see":"send","over":["http"],"message":{}}
)";
  EXPECT_EQ(rewritten(text), text);
}

}  // namespace
}  // namespace enfold::transcripts
