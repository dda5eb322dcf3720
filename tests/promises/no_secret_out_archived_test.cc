// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/prepare.h"
#include "enfold/retrieve/retrieve.h"
#include "enfold/store/stores.h"
#include "tests/answer/answers.h"
#include "tests/redact/fake_secrets.h"
#include "tests/store/temporary_folder.h"
#include "tests/support/goldens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Secret {
  const char* name;
  std::string text;  ///< as the tool sent it
};

std::vector<Secret> secrets() {
  return {{"a token of a code host", redact::fake::github()},
          {"a key id of a cloud", redact::fake::aws_id()},
          {"a signed token", redact::fake::jwt()}};
}

// Secrets at the beginning, in the middle and at the end of a list that is far too long: some stand
// where the view shows them, most where only retrieval comes.
json::Document answer_with(const std::string& secret) {
  json::Writer writer;
  writer.begin_object().key("content").begin_array().begin_object().member("type", "text");
  writer.member("text", "Bearer " + secret).end_object().end_array();
  writer.key("structuredContent").begin_object().key("items").begin_array();
  for (int i = 0; i < 400; ++i) {
    writer.begin_object().member("id", std::int64_t{i});
    writer.member("note", i % 40 == 0 ? "use " + secret + " here" : "nothing to see in this one");
    writer.member("password", secret + std::to_string(i)).end_object();
  }
  writer.end_array().end_object().end_object();
  return *json::parse(std::move(writer).finish().str());
}

std::string all_files_of(const std::filesystem::path& folder) {
  std::string bytes;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) bytes += enfold::testing::read_file(entry.path());
  }
  return bytes;
}

// A secret in an answer that is cut is neither in the view, nor in any retrieval, nor at rest.
TEST(Promise, no_secret_out_of_the_archive) {
  constexpr store::Time now{std::chrono::seconds(1'700'000'000)};
  for (const Secret& secret : secrets()) {
    const store::testing::TemporaryFolder folder;
    answer::FitSettings settings;
    settings.budget.tokens = 1'000;
    auto prepared = answer::prepare(answer_with(secret.text), contract::Id::mcp, settings, {});
    ASSERT_TRUE(prepared && !prepared->fits) << secret.name;
    const std::string media_type = prepared->media_type;
    std::string archived;
    {
      auto archive = store::sqlite_archive(folder.file("archive.db"));
      const auto receipt = (*archive)->put("ann", prepared->to_store(), {}, now);
      ASSERT_TRUE(receipt) << secret.name;
      const auto finished = answer::finish(
          std::move(*prepared), answer::Receipt{receipt->handle, receipt->hash}, settings);
      EXPECT_THAT(answer::write_result(finished->answer, settings.shape)->str(),
                  Not(HasSubstr(secret.text)))
          << secret.name;
      // Read back as it was put: decompressed.
      archived = *(*archive)->get("ann", receipt->handle, now);
      EXPECT_THAT(all_files_of(folder.path()), Not(HasSubstr(secret.text))) << secret.name;
    }
    EXPECT_THAT(archived, HasSubstr("[REDACTED")) << secret.name;
    EXPECT_THAT(archived, Not(HasSubstr(secret.text))) << secret.name;
    EXPECT_THAT(all_files_of(folder.path()), Not(HasSubstr(secret.text))) << secret.name;

    retrieve::QueryOptions searched;
    searched.find = secret.text;
    const auto nothing = retrieve::retrieve_bytes(archived, media_type, *parse_query(searched));
    EXPECT_EQ(nothing->total, 0U) << secret.name;
    for (const char* range : {"0..0", "40..40", "360..399", "0..399"}) {
      retrieve::QueryOptions asked;
      asked.range = range;
      const auto found = retrieve::retrieve_bytes(archived, media_type, *parse_query(asked));
      ASSERT_TRUE(found) << range;
      EXPECT_THAT(json::to_text(found->value.view()), Not(HasSubstr(secret.text))) << range;
    }
    retrieve::QueryOptions raw;
    raw.raw = true;
    const auto whole = retrieve::retrieve_bytes(archived, media_type, *parse_query(raw));
    EXPECT_THAT(json::to_text(whole->value.view()), Not(HasSubstr(secret.text))) << secret.name;
  }
}

}  // namespace
}  // namespace enfold::answer
