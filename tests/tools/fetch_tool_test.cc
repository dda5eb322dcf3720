// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/fetch_tool.h"

#include "enfold/answer/fit/measure.h"
#include "enfold/contract/cursors/continuation.h"
#include "enfold/json/pointer.h"
#include "enfold/schema/schema.h"
#include "enfold/store/stores.h"
#include "enfold/tools/offered_tool.h"
#include "enfold/tools/opened_answers.h"
#include "tests/store/broken_archive.h"

#include <algorithm>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace enfold::tools {
namespace {

class FetchTool : public testing::Test {
 protected:
  FetchTool() {
    std::string bytes = R"({"items":[)";
    for (int i = 0; i < 300; ++i) {
      bytes += fmt::format(R"({}{{"id":"task-{}","n":{}}})", i == 0 ? "" : ",", i, i);
    }
    receipt = *archive->put("ada", bytes + "]}", {.tool = "list", .media_type = ""}, now);
  }
  answer::ReadAnswer ask(const std::string& arguments, const std::string& principal = "ada") {
    return fetch(json::parse_own(arguments).view(), {archive.get(), &key, principal, now}, settings,
                 {.tool = "enfold_fetch", .request_id = "req_1"});
  }
  static std::string payload_at(const answer::ReadAnswer& answer, const char* pointer) {
    const auto& payload = answer.reading.response.payload;
    const auto found =
        payload ? json::Pointer::parse(pointer)->resolve(payload->view()) : std::nullopt;
    return found ? json::to_text(*found) : "(none)";
  }
  static std::string code(const answer::ReadAnswer& answer) {
    return answer.reading.response.failure ? answer.reading.response.failure->code : "(success)";
  }

  std::unique_ptr<store::Archive> archive = store::memory_archive();
  contract::CursorKey key = *contract::CursorKey::from_bytes("0123456789abcdef");
  store::Time now{std::chrono::seconds(1'800'000'000)};
  store::Receipt receipt;
  answer::FitSettings settings;
};

TEST_F(FetchTool, finds_by_id_place_and_condition) {
  const std::string handle = R"({"handle":")" + receipt.handle + R"(",)";
  EXPECT_EQ(payload_at(ask(handle + R"("id":"task-7"})"), "/0/n"), "7");
  EXPECT_EQ(payload_at(ask(handle + R"("pointer":"/items/299/id"})"), ""), R"("task-299")");
  EXPECT_EQ(payload_at(ask(handle + R"("where":"n >= 298"})"), "/1/id"), R"("task-299")");
  EXPECT_EQ(ask(handle + R"("stat":true})").reading.response.request_id, "req_1");
}

TEST_F(FetchTool, opens_a_hash_that_was_cut_short) {
  for (const std::size_t digits : {4U, 12U, 64U}) {
    const std::string start = receipt.hash.substr(0, std::string("sha256:").size() + digits);
    for (const char* end : {"", "...", "…"}) {
      const answer::ReadAnswer answer = ask(R"({"id":"task-7","handle":")" + start + end + "\"}");
      EXPECT_EQ(payload_at(answer, "/0/n"), "7") << start << end;
    }
  }
  EXPECT_EQ(code(ask(R"({"handle":"sha256:ab"})")), "NOT_FOUND") << "too short to be a hash";
  EXPECT_EQ(code(ask(R"({"handle":"sha256:)" + receipt.hash.substr(7, 8) + "\"}", "eve")),
            "NOT_FOUND");
}

TEST_F(FetchTool, names_the_handles_if_several_hashes_begin_alike) {
  // 70,000 hashes have two with the same first four digits; 300 have, by chance, nearly always.
  std::map<std::string, std::string> first;
  for (int i = 0; i < 2000; ++i) {
    const store::Receipt made = *archive->put("bob", std::to_string(i), {}, now);
    const auto [at, is_new] = first.emplace(made.hash.substr(0, 11), made.handle);
    if (is_new) continue;
    const answer::ReadAnswer answer = ask(R"({"handle":")" + at->first + "\"}", "bob");
    EXPECT_EQ(code(answer), "VALIDATION_ERROR");
    const std::string& message = answer.reading.response.failure->message;
    EXPECT_NE(message.find(made.handle), std::string::npos) << message;
    EXPECT_NE(message.find(at->second), std::string::npos) << message;
    return;
  }
  FAIL() << "no two hashes begin alike";
}

TEST_F(FetchTool, finds_an_id_without_a_handle_while_one_answer_has_it) {
  EXPECT_EQ(payload_at(ask(R"({"id":"task-7"})"), "/0/n"), "7");
  EXPECT_EQ(payload_at(ask(R"({"ids":["task-7","task-8"]})"), "/1/n"), "8");
  EXPECT_EQ(code(ask(R"({"id":"task-999"})")), "NOT_FOUND");
  EXPECT_EQ(code(ask(R"({"id":"task-7"})", "eve")), "NOT_FOUND");
  EXPECT_EQ(code(ask(R"({"find":"task-7"})")), "MISSING_REQUIRED") << "only an id is enough";
  const store::Receipt other =
      *archive->put("ada", R"({"items":[{"id":"task-7","n":0}]})", {}, now);
  const answer::ReadAnswer several = ask(R"({"id":"task-7"})");
  EXPECT_EQ(code(several), "VALIDATION_ERROR");
  for (const std::string& handle : {receipt.handle, other.handle}) {
    EXPECT_NE(several.reading.response.failure->message.find(handle), std::string::npos);
  }
  EXPECT_EQ(payload_at(ask(R"({"id":"task-8"})"), "/0/n"), "8");
}

TEST_F(FetchTool, takes_a_handle_for_a_number_as_models_do) {
  EXPECT_EQ(payload_at(ask(R"({"handle":)" + receipt.handle + R"(,"id":"task-7"})"), "/0/n"), "7");
}

TEST_F(FetchTool, follows_its_own_cursors_to_the_end_within_the_budget) {
  settings.budget = {400, 32'000, std::nullopt};
  std::string arguments = R"({"handle":")" + receipt.handle + R"(","pointer":"/items"})";
  std::size_t seen = 0;
  for (int pages = 0; pages < 300; ++pages) {
    const answer::ReadAnswer answer = ask(arguments);
    ASSERT_TRUE(model::succeeded(answer.reading.response)) << code(answer);
    EXPECT_TRUE(budget::within(*answer::size_of_answer(answer, settings), settings.budget));
    seen += answer.reading.response.payload->view().size();
    const auto& page = answer.reading.response.page;
    ASSERT_TRUE(page.has_value());
    if (!page->has_more.value_or(false)) break;
    arguments = R"({"cursor":")" + *page->cursor + R"("})";
  }
  EXPECT_EQ(seen, 300U);
}

TEST_F(FetchTool, opens_nothing_for_somebody_else) {
  const answer::ReadAnswer mine =
      ask(R"({"handle":")" + receipt.handle + R"(","pointer":"/items","page_size":5})");
  const std::string cursor = *mine.reading.response.page->cursor;
  EXPECT_EQ(code(ask(R"({"cursor":")" + cursor + R"("})", "eve")), "INVALID_FORMAT");
  const answer::ReadAnswer foreign = ask(R"({"handle":")" + receipt.handle + R"("})", "eve");
  const answer::ReadAnswer unknown = ask(R"({"handle":"999999999999"})", "eve");
  EXPECT_EQ(code(foreign), "NOT_FOUND");
  EXPECT_EQ(foreign.reading.response.failure->remediation,
            unknown.reading.response.failure->remediation);
}

TEST_F(FetchTool, says_what_is_wrong_with_a_call) {
  const std::string handle = R"({"handle":")" + receipt.handle + R"(",)";
  struct Case {
    std::string arguments;
    const char* code;
  };
  for (const Case& one :
       {Case{"{}", "MISSING_REQUIRED"}, Case{handle + R"("idd":"x"})", "VALIDATION_ERROR"},
        Case{handle + R"("id":"x","find":"y"})", "VALIDATION_ERROR"},
        Case{handle + R"("cursor":"abc"})", "VALIDATION_ERROR"},
        Case{R"({"cursor":"abc"})", "INVALID_FORMAT"},
        Case{handle + R"("page_size":"many"})", "VALIDATION_ERROR"},
        Case{handle + R"("pointer":"/nowhere"})", "NOT_FOUND"}}) {
    EXPECT_EQ(code(ask(one.arguments)), one.code) << one.arguments;
  }
}

TEST_F(FetchTool, tells_damage_from_an_archive_that_is_away) {
  const auto ask_broken = [&](ErrorCode error) {
    store::testing::BrokenArchive broken(*archive,
                                         {error, "secret of the operator", "/var/lib/archive.db"});
    return fetch(json::parse_own(R"({"handle":")" + receipt.handle + R"("})").view(),
                 {&broken, &key, "ada", now}, settings, {.tool = "enfold_fetch"});
  };
  const answer::ReadAnswer damaged = ask_broken(ErrorCode::internal);
  EXPECT_EQ(code(damaged), "INTERNAL_ERROR");
  ASSERT_EQ(damaged.reading.response.warnings.size(), 1U);
  EXPECT_EQ(damaged.reading.response.warnings[0].code, "ARCHIVE_READ_CORRUPT");
  EXPECT_EQ(damaged.reading.response.warnings[0].context,
            json::parse_own(R"({"handle":")" + receipt.handle + R"("})"));
  for (const ErrorCode error : {ErrorCode::unavailable, ErrorCode::timed_out}) {
    const answer::ReadAnswer away = ask_broken(error);
    EXPECT_EQ(code(away), "UNAVAILABLE");
    EXPECT_EQ(away.reading.response.failure->retry_after, model::Number{"5"});
    EXPECT_EQ(write_envelope(away, settings.shape)->str().find("secret"), std::string::npos);
  }
}

TEST_F(FetchTool, goes_on_with_pages_of_the_same_size) {
  const answer::ReadAnswer first =
      ask(R"({"handle":")" + receipt.handle + R"(","pointer":"/items","page_size":5})");
  const auto next = [&](const answer::ReadAnswer& page, const std::string& more) {
    return ask(R"({"cursor":")" + *page.reading.response.page->cursor + "\"" + more + "}");
  };
  const answer::ReadAnswer second = next(first, "");
  EXPECT_EQ(second.reading.response.payload->view().size(), 5U);
  EXPECT_EQ(next(second, R"(,"page_size":2)").reading.response.payload->view().size(), 2U);
}

TEST_F(FetchTool, has_an_input_schema_of_arguments_that_a_query_has) {
  const json::Value schema = fetch_tool_input_schema();
  ASSERT_TRUE(schema::Schema::compile(schema).has_value());
  const auto known = retrieve::query_arguments();
  for (const json::Member& member : schema->find("properties")->members()) {
    const std::string name = member.key.string();
    const bool is_own = name == "handle" || name == "cursor";
    EXPECT_TRUE(is_own || std::find(known.begin(), known.end(), name) != known.end()) << name;
  }
}

TEST_F(FetchTool, costs_a_session_at_most_250_tokens) {
  json::Writer writer;
  writer.begin_object()
      .member("name", kFetchTool)
      .member("description", fetch_tool_description(/*has_sql=*/true));
  writer.key("inputSchema").value(fetch_tool_input_schema());
  writer.key("annotations").value(json::parse_own(R"({"readOnlyHint":true})"));
  writer.key("_meta").value(json::parse_own(R"({"anthropic/alwaysLoad":true})")).end_object();
  EXPECT_LE(token::o200k_base().count(std::move(writer).finish().str()), 250U);
}

TEST_F(FetchTool, answers_the_statement_of_its_description) {
  const std::string statement = "select n % 2, count(*) from items group by 1";
  const answer::ReadAnswer answer =
      ask(R"({"handle":")" + receipt.handle + R"(","sql":")" + statement + "\"}");
  EXPECT_EQ(payload_at(answer, "/1/count(*)"), "150");
}

// An upstream may be an Enfold too, whose cursors look alike.
TEST_F(FetchTool, leaves_the_cursor_of_another_key_to_a_tool_that_takes_cursors) {
  const auto other = *contract::CursorKey::from_bytes("fedcba9876543210");
  const contract::Continuation rest{.handle = receipt.handle, .left = {{3, 9}}};
  const std::string own = contract::to_cursor(rest, key, "ada");
  const std::string foreign = contract::to_cursor(rest, other, "ada");
  const auto found = [&](const std::string& cursor, std::vector<std::string> declared) {
    OfferedTool tool;
    tool.arguments = std::move(declared);
    const json::Value arguments = json::parse_own(R"({"cursor":")" + cursor + "\"}");
    return own_cursor(arguments.view(), tool, key);
  };
  EXPECT_EQ(found(own, {"cursor"}), own);
  EXPECT_EQ(found(own, {}), own);
  EXPECT_EQ(found(foreign, {"cursor"}), std::nullopt);
  EXPECT_EQ(found(foreign, {}), foreign) << "the tool would ignore it and begin again";
}

TEST_F(FetchTool, reads_an_answer_from_the_archive_once_and_only_while_it_is_there) {
  OpenedAnswers opened(1 << 20);
  const auto ask_at = [&](store::Time at, const std::string& principal) {
    const std::string arguments = R"({"id":"task-7","handle":")" + receipt.handle + "\"}";
    const FetchSource source{archive.get(), &key, principal, at, &opened};
    return fetch(json::parse_own(arguments).view(), source, settings,
                 {.tool = "enfold_fetch", .request_id = "req_1"});
  };
  EXPECT_EQ(payload_at(ask_at(now, "ada"), "/0/n"), "7");
  EXPECT_TRUE(opened.find(receipt.hash + " "));
  EXPECT_EQ(payload_at(ask_at(now, "ada"), "/0/n"), "7");
  EXPECT_EQ(code(ask_at(now, "ben")), "NOT_FOUND") << "it belongs to another";
  EXPECT_EQ(code(ask_at(now + std::chrono::hours(24 * 400), "ada")), "NOT_FOUND") << "expired";
}

TEST_F(FetchTool, takes_an_empty_handle_for_a_missing_one) {
  for (const char* more :
       {"", R"(,"sql":"select 1")", R"(,"find":"x")", R"(,"pointer":"/items")"}) {
    const std::string arguments = std::string(R"({"handle":"")") + more + "}";
    EXPECT_EQ(code(ask(arguments)), "MISSING_REQUIRED") << arguments;
  }
  EXPECT_EQ(payload_at(ask(R"({"handle":"","id":"task-7"})"), "/0/n"), "7");
}

// Whatever a model sends, it gets an answer that says what is wrong.
TEST_F(FetchTool, answers_any_arguments) {
  const std::string handle = "\"" + receipt.handle + "\"";
  const std::vector<std::string> values{R"("")",
                                        handle,
                                        "null",
                                        "[]",
                                        "{}",
                                        "0",
                                        "-1",
                                        "1.5",
                                        "true",
                                        R"("*")",
                                        R"("/items/*")",
                                        R"("0..5")",
                                        R"("5..2")",
                                        R"("-1")",
                                        R"("\u0000")",
                                        R"("select * from items")",
                                        R"("n > 1")",
                                        R"("[")",
                                        R"("task-7")",
                                        R"("EnfC")",
                                        R"("sha256:")",
                                        R"([""])",
                                        "1e400"};
  const std::vector<std::string> names{
      "handle", "sql",   "b",       "cursor", "pointer", "range", "lines", "find", "where",
      "id",     "regex", "context", "count",  "chars",   "ids",   "stat",  "raw",  "page_size"};
  std::mt19937_64 random(20261118);
  const auto draw = [&](const std::vector<std::string>& from) {
    return from[random() % from.size()];
  };
  for (int i = 0; i < 5'000; ++i) {
    std::map<std::string, std::string> drawn;
    if (random() % 3 != 0) drawn["handle"] = handle;
    for (std::size_t n = random() % 4; n > 0; --n) drawn[draw(names)] = draw(values);
    std::string arguments;
    for (const auto& [name, value] : drawn) {
      arguments += fmt::format(R"({}"{}":{})", arguments.empty() ? "" : ",", name, value);
    }
    const answer::ReadAnswer answer = ask("{" + arguments + "}");
    const model::Response& response = answer.reading.response;
    EXPECT_TRUE(response.failure || response.payload || !response.blocks.empty()) << arguments;
    if (response.failure) {
      EXPECT_NE(response.failure->code, "INTERNAL_ERROR") << arguments;
    }
  }
}

// A model writes what the description shows.
TEST_F(FetchTool, accepts_the_ranges_of_its_own_description) {
  const std::string description(fetch_tool_description(/*has_sql=*/false));
  std::string text;
  for (int i = 0; i < 400; ++i) text += fmt::format("line {} of the log\\n", i);
  const store::Receipt log =
      *archive->put("ada", fmt::format(R"({{"content":[{{"type":"text","text":"{}"}}]}})", text),
                    {.tool = "log", .media_type = ""}, now);
  for (const auto& [name, handle] :
       {std::pair<std::string, std::string>("range", receipt.handle), {"lines", log.handle}}) {
    const std::size_t at = description.find(name + " (");
    ASSERT_NE(at, std::string::npos) << name;
    const std::size_t begin = at + name.size() + 2;
    const std::string example = description.substr(begin, description.find(')', begin) - begin);
    const answer::ReadAnswer answer =
        ask(fmt::format(R"({{"handle":"{}","{}":"{}"}})", handle, name, example));
    const auto& failure = answer.reading.response.failure;
    EXPECT_FALSE(failure) << name << " " << example << " " << failure->code;
  }
}

}  // namespace
}  // namespace enfold::tools
