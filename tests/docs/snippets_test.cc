// SPDX-License-Identifier: Apache-2.0
// The C++ of pages under docs/, compiled and run; check_docs.py looks for it here. That of the
// levels page is in tests/level/documentation_test.cc.
#include "enfold/answer/fit/prepare.h"
#include "enfold/json/write.h"
#include "enfold/redact/redact.h"
#include "enfold/schema/schema.h"
#include "enfold/store/archive.h"
#include "enfold/token/tokenizer.h"

#include <fmt/core.h>
#include <gmock/gmock.h>

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Snippets, of_the_json_page_keep_the_big_number) {
  const auto document = enfold::json::parse(R"({"id": 12345678901234567890123, "price": 1.0})");
  ASSERT_TRUE(document);
  const std::string_view id = document->root().find("id")->number();
  const std::string again = enfold::json::to_text(document->root());
  EXPECT_EQ(id, "12345678901234567890123");
  EXPECT_EQ(again, R"({"id":12345678901234567890123,"price":1.0})");
}

TEST(Snippets, of_the_token_page_count_fit_and_cut) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += " word";
  const enfold::token::Tokenizer& tokenizer = enfold::token::o200k_base();
  const std::size_t counted = tokenizer.count(text);
  const bool fits = tokenizer.fits(text, 4'000);
  const std::string_view start = tokenizer.prefix(text, 100);
  EXPECT_EQ(counted, 200U);
  EXPECT_TRUE(fits);
  EXPECT_EQ(start.size(), 500U);
}

TEST(Snippets, of_the_store_page_give_the_bytes_back) {
  const std::string bytes = R"({"items":[1,2,3]})";
  const enfold::store::Time now = enfold::store::Time(std::chrono::hours(500'000));
  auto archive = enfold::store::open_archive("memory");
  auto receipt = (*archive)->put("ann", bytes, {.tool = "list_items"}, now);
  auto again = (*archive)->get("ann", receipt->handle, now);
  EXPECT_EQ(again, bytes);
  EXPECT_THAT(receipt->hash, StartsWith("sha256:"));
}

TEST(Snippets, of_the_redaction_page_name_the_places_a_marker_broke) {
  namespace json = enfold::json;
  const auto schema = *enfold::schema::Schema::compile(
      json::parse_own(R"({"properties":{"password":{"maxLength":10}}})"));
  enfold::redact::Policy policy;
  policy.broken_places = [&](json::View value) {
    std::vector<std::string> places;
    if (const auto validation = schema.validate(value)) {
      for (const auto& violation : validation->violations) places.push_back(violation.instance);
    }
    return places;
  };
  const auto answer = json::parse(R"({"password":"[REDACTED:PASSWORD]"})");
  EXPECT_THAT(policy.broken_places(answer->root()), ElementsAre("/password"));
}

TEST(Snippets, of_the_fitting_page_cut_only_what_was_stored) {
  using namespace enfold;          // as on the page
  using namespace enfold::answer;  // as on the page
  const auto archive = store::open_archive("memory:").value();
  const auto put = [&](std::string_view bytes, const std::string& media_type) {
    return archive
        ->put("ann", bytes, {.media_type = media_type}, store::Time(std::chrono::hours(500'000)))
        .map([](const store::Receipt& receipt) { return Receipt{receipt.handle, receipt.hash}; });
  };
  std::string list = R"({"content":[],"structuredContent":{"items":[0)";
  for (int i = 1; i < 2'000; ++i) list += fmt::format(",{}", i);
  const auto document = json::parse(list + "]}}").value();
  const FitSettings settings{.budget = {.tokens = 400}};
  const Call call;
  auto answer = read_answer(document, contract::Id::mcp, settings.shape, call);
  auto prepared = prepare(std::move(*answer), settings);
  Result<Receipt> stored = Receipt{};
  if (!prepared->fits) stored = put(prepared->to_store(), prepared->media_type);
  auto finished = finish(std::move(*prepared), stored, settings);
  EXPECT_LE(finished->size.tokens, 400U);
  EXPECT_THAT(stored->handle, Not(IsEmpty()));
}

}  // namespace
