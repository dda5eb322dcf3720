// SPDX-License-Identifier: Apache-2.0
#include "enfold/model/content.h"

#include <gtest/gtest.h>

namespace enfold::model {
namespace {

std::string described(const char* block) {
  const json::Value value = json::parse_own(block);
  json::Writer writer;
  write_block_description(value.view(), writer);
  return std::move(writer).finish().str();
}

TEST(Content, describes_binary_blocks_by_size_and_hash_of_their_bytes) {
  const std::string hash =
      "sha256:ae4b3280e56e2faf83f414a6e3dabe9d5fbe18976544c05fed121accb85b53fc";
  EXPECT_EQ(
      described(
          R"({"type":"image","data":"AAEC","mimeType":"image/png","annotations":{"priority":1}})"),
      R"({"type":"image","size":3,"hash":")" + hash +
          R"(","mimeType":"image/png","annotations":{"priority":1}})");
  EXPECT_EQ(
      described(R"({"type":"resource","resource":{"uri":"x:1","blob":"AAEC"},"x":1})"),
      R"({"type":"resource","resource":{"uri":"x:1","size":3,"hash":")" + hash + R"("},"x":1})");
}

TEST(Content, leaves_every_other_block_as_it_is) {
  for (const char* block :
       {R"({"type":"text","text":"AAEC"})", R"({"type":"resource_link","uri":"x:1","name":"a"})",
        R"({"type":"resource","resource":{"uri":"x:1","text":"t"}})",
        R"({"type":"future","data":"AAEC"})", R"({"type":"image","data":7})"}) {
    EXPECT_EQ(described(block), block);
  }
}

TEST(Content, describes_data_that_is_no_base64_by_its_text) {
  EXPECT_NE(described(R"({"type":"audio","data":"not base64!"})").find("\"size\":11"),
            std::string::npos);
}

}  // namespace
}  // namespace enfold::model
