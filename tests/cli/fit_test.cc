// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/prepare.h"
#include "enfold/contract/contract.h"
#include "enfold/schema/schema.h"
#include "enfold/token/profile.h"
#include "tests/cli/archive_program.h"
#include "tests/cli/large_answer.h"
#include "tests/support/goldens.h"

#include <fmt/core.h>
#include <functional>
#include <sys/stat.h>

namespace enfold::cli {
namespace {

class Fit : public ArchiveProgramTest {
 protected:
  Fit() { write("large.json", large_answer(200)); }
};

std::string without_end(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

TEST_F(Fit, keeps_within_the_budget_and_archives_the_rest) {
  for (const std::size_t budget : {128, 300, 1000, 4000}) {
    SCOPED_TRACE(budget);
    const Ended ended =
        enfold({"fit", "--budget", std::to_string(budget), "--tool", "list_items", "large.json"});
    EXPECT_THAT(ended, ends(0, EndsWith("}\n"), ""));
    EXPECT_LE(token::o200k_base().count(without_end(ended.out)), budget);
    const std::string handle = handle_in(ended.out);
    EXPECT_THAT(enfold({"fetch", handle, "--raw"}), ends(0, large_answer(200), ""));
  }
  EXPECT_THAT(enfold({"archive", "ls"}).out, HasSubstr("list_items"));
}

TEST_F(Fit, neither_cuts_nor_stores_what_fits) {
  EXPECT_THAT(
      enfold({"fit", "--budget", "1000"}, R"({"n":1})"),
      ends(0,
           R"({"success":true,"data":{"n":1},"error":null,"meta":{"version":"response-v2"}})"
           "\n",
           ""));
  EXPECT_FALSE(fs::exists(default_file().parent_path()));
}

// The statement in the warning about what is missing, or "".
std::string statement_in(const std::string& answer) {
  const std::string before = R"(\"sql\":\")";
  const std::size_t begin = answer.find(before);
  if (begin == std::string::npos) return {};
  const std::size_t from = begin + before.size();
  return answer.substr(from, answer.find('\\', from) - from);
}

TEST_F(Fit, offers_a_statement_for_the_form_of_a_text) {
  struct Row {
    std::function<std::string(int)> line;
    const char* want;
  };
  const Row rows[] = {
      {[](int i) { return i == 0 ? "id,name,state\n" : fmt::format("{},n{},open\n", i, i * 7); },
       "select * from rows limit 3"},
      {[](int i) { return fmt::format("src/a{}/file_{}.py\n", i % 5, i); },
       "select ext, count(*) from files group by 1"},
      {[](int i) { return fmt::format("2026-01-01T10:00:{:02}Z INFO job {} done\n", i % 60, i); },
       "select n, text from lines where text like '%error%'"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.want);
    std::string text;
    for (int i = 0; i < 300; ++i) text += row.line(i);
    const Ended cut = enfold({"fit", "--budget", "900", "--from", "text"}, text);
    EXPECT_EQ(statement_in(cut.out), row.want);
    EXPECT_EQ(enfold({"fetch", handle_in(cut.out), "--sql", row.want}).exit_code, 0);
  }
}

TEST_F(Fit, says_when_an_envelope_alone_leaves_content_blocks_out) {
  const std::string answer =
      R"({"content":[{"type":"text","text":"more words"}],"structuredContent":{"n":1}})";
  EXPECT_THAT(enfold({"fit", "--budget", "1000"}, answer),
              ends(0, HasSubstr(R"("data":{"n":1})"),
                   HasSubstr("1 content block beside the envelope is not shown; --mcp-result")));
  EXPECT_THAT(enfold({"fit", "--budget", "1000", "--mcp-result"}, answer),
              ends(0, HasSubstr("more words"), ""));
}

TEST_F(Fit, keeps_what_stands_beside_the_content_or_says_that_it_does_not) {
  const std::string answer = R"({"foo":"bar","_meta":{"a/b":1},"content":[],)"
                             R"("structuredContent":{"n":1}})";
  EXPECT_THAT(enfold({"fit", "--budget", "1000"}, answer),
              ends(0, HasSubstr(R"("data":{"n":1})"),
                   HasSubstr("2 members beside the content (foo, _meta) are not shown; "
                             "--mcp-result shows everything")));
  EXPECT_THAT(enfold({"fit", "--budget", "1000", "--mcp-result"}, answer),
              ends(0,
                   EndsWith(R"("isError":false,"foo":"bar","_meta":{"a/b":1}})"
                            "\n"),
                   ""));
  EXPECT_THAT(enfold({"fit", "--budget", "1000", "--mcp-result"},
                     R"({"jsonrpc":"2.0","id":1,"result":)" + answer + "}"),
              ends(0, HasSubstr(R"("isError":false,"foo":"bar")"), ""));
  EXPECT_THAT(enfold({"fit", "--budget", "1000", "--mcp-result"}, R"({"foo":1,"_meta":{}})"),
              ends(0, EndsWith("\"isError\":false}\n"), ""));
}

TEST_F(Fit, says_nothing_of_members_that_are_archived_with_the_answer) {
  const std::string text(20'000, 'x');
  const Ended ended =
      enfold({"fit", "--budget", "400"},
             R"({"foo":"bar","content":[{"type":"text","text":"a )" + text + "\"}]}");
  EXPECT_THAT(ended, ends(0, HasSubstr("sha256:"), ""));
  EXPECT_THAT(enfold({"fetch", handle_in(ended.out), "--raw"}),
              ends(0, HasSubstr(R"("foo":"bar")"), ""));
}

TEST_F(Fit, needs_no_place_for_the_archive_unless_there_is_something_to_store) {
  const auto homeless = [&](std::vector<std::string> arguments) {
    return enfold_with({.arguments = std::move(arguments), .environment = {"HOME="}});
  };
  write("small.json", R"({"n":1})");
  EXPECT_THAT(homeless({"fit", "--budget", "1000", "small.json"}),
              ends(0, HasSubstr(R"("data":{"n":1})"), ""));
  EXPECT_THAT(homeless({"fit", "--budget", "1000", "--explain", "large.json"}),
              ends(0, HasSubstr("1,000 tokens"), ""));
  EXPECT_THAT(
      homeless({"fit", "--budget", "1000", "large.json"}),
      ends(2, HasSubstr("ARCHIVE_WRITE_FAILED"), HasSubstr("expected a place for the archive")));
  EXPECT_THAT(
      homeless({"fit", "--budget", "1000", "--explain", "--archive", "http://x", "large.json"}),
      ends(5, "", HasSubstr("found http://…")));
}

TEST_F(Fit, counts_and_limits_as_the_client_does) {
  write("huge.json", large_answer(2000));
  for (const token::Profile& profile : token::profiles()) {
    SCOPED_TRACE(profile.name);
    const Ended ended = enfold({"fit", "--client", std::string(profile.name), "huge.json"});
    const std::string answer = without_end(ended.out);
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    EXPECT_LE(profile.tokenizer->count(answer), answer::kDefaultTarget);
    EXPECT_LE(answer.size(), profile.max_characters);
    EXPECT_GT(profile.tokenizer->count(answer), answer::kDefaultTarget / 10 * 9) << answer.size();
  }
  const Ended own = enfold({"fit", "--client", "claude", "--budget", "500", "huge.json"});
  EXPECT_LE(token::find_profile("claude").value()->tokenizer->count(without_end(own.out)), 500U);
}

TEST_F(Fit, keeps_within_characters_and_lines) {
  const Ended ended = enfold(
      {"fit", "--budget", "100000", "--max-chars", "2000", "--max-lines", "1", "large.json"});
  EXPECT_THAT(ended, ends(0, HasSubstr("character_limit_exceeded"), ""));
  EXPECT_LE(without_end(ended.out).size(), 2000U);
}

TEST_F(Fit, makes_the_archive_for_its_owner_only) {
  ASSERT_EQ(enfold({"fit", "--budget", "300", "large.json"}).exit_code, 0);
  struct stat status{};
  ASSERT_EQ(::stat(default_file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  ASSERT_EQ(::stat(default_file().parent_path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
}

TEST_F(Fit, archives_the_result_of_a_json_rpc_response) {
  const std::string response = R"({"jsonrpc":"2.0","id":1,"result":)" + large_answer(200) + "}";
  const Ended ended = enfold({"fit", "--budget", "300"}, response);
  EXPECT_THAT(enfold({"fetch", handle_in(ended.out), "--raw"}), ends(0, large_answer(200), ""));
}

TEST_F(Fit, fits_text_that_is_no_json) {
  std::string log;
  for (int i = 0; i < 2000; ++i) log += "12:00:" + std::to_string(i) + " INFO all is well\n";
  log += "12:59:59 ERROR the disk is full\n";
  const Ended ended = enfold({"fit", "--from", "text", "--budget", "400"}, log);
  EXPECT_THAT(ended, ends(0, HasSubstr("ERROR the disk is full"), ""));
  EXPECT_LE(token::o200k_base().count(without_end(ended.out)), 400U);
  EXPECT_THAT(enfold({"fetch", handle_in(ended.out), "--raw"}), ends(0, log, ""));
  EXPECT_THAT(enfold({"fit", "--from", "text", "--budget", "400"}, "\xff"),
              ends(4, "", HasSubstr("expected UTF-8 text")));
}

// "0 parts left out" would be no way to say that something was cut.
TEST_F(Fit, says_what_was_cut_when_nothing_was_left_out_as_a_whole) {
  const std::string text = R"({"id":7,"text":")" + std::string(6000, 'x') + R"("})";
  EXPECT_THAT(enfold({"fit", "--budget", "300"}, text),
              ends(0, AllOf(HasSubstr("Long texts shortened"), HasSubstr(R"("id":7)")), ""));
  std::string rows;
  for (int i = 0; i < 12; ++i) {
    rows += fmt::format(R"({}{{"id":{},"note":"{}"}})", i == 0 ? "" : ",", i,
                        std::string(300, static_cast<char>('a' + i)));
  }
  EXPECT_THAT(enfold({"fit", "--budget", "400"}, R"({"rows":[)" + rows + "]}"),
              ends(0, Not(HasSubstr("Cut to fit: 0 ")), ""));
}

TEST_F(Fit, writes_every_contract) {
  for (const contract::Description& one : contract::all()) {
    if (one.schema.empty() || one.name == "mcp") continue;
    SCOPED_TRACE(one.name);
    const std::string name(one.name);
    const Ended ended = enfold({"fit", "--budget", "600", "--to", name, "large.json"});
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    EXPECT_LE(token::o200k_base().count(without_end(ended.out)), 600U);
    EXPECT_THAT(enfold({"validate", "--contract", name}, ended.out),
                ends(0, HasSubstr("valid"), ""));
  }
  const Ended result = enfold({"fit", "--budget", "600", "--mcp-result", "large.json"});
  EXPECT_THAT(result, ends(0, HasSubstr(R"("structuredContent":{"success":true,)"), ""));
}

TEST_F(Fit, keeps_to_the_output_schema) {
  const std::string schema = R"({"type":"object","required":["total","items"],"properties":{
    "items":{"type":"array","minItems":3,"items":{"type":"object","required":["id","title"]}}}})";
  write("schema.json", schema);
  const Ended ended = enfold({"fit", "--budget", "500", "--schema", "schema.json", "large.json"});
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const auto document = json::parse(ended.out);
  const auto compiled = schema::Schema::compile(json::parse_own(schema));
  EXPECT_TRUE(compiled->accepts(*document->root().find("data")).value());
  write("wrong.json", R"({"type":"objekt"})");
  EXPECT_THAT(enfold({"fit", "--budget", "500", "--schema", "wrong.json", "large.json"}),
              ends(4, "", HasSubstr("at wrong.json")));
  EXPECT_THAT(enfold({"fit", "--budget", "500", "--schema", "none.json", "large.json"}),
              ends(4, "", HasSubstr("none.json")));
}

TEST_F(Fit, keeps_to_the_policy) {
  write("policy.json", R"({"drop":["/items/*/body"],"order_by":"-id"})");
  const Ended ended = enfold({"fit", "--budget", "500", "--policy", "policy.json", "large.json"});
  EXPECT_THAT(ended, ends(0, AllOf(Not(HasSubstr("\"body\":")), HasSubstr("\"id\":1199")), ""));
  struct Case {
    const char* policy;
    const char* want;
  };
  for (const auto& [policy, want] :
       std::vector<Case>{{R"({"dorp":["/items"]})",
                          "error: unknown member \"dorp\" of a policy\n  at policy.json, /dorp\n"
                          "hint: did you mean drop?\n"},
                         {R"({"orderBy":"id"})", "hint: did you mean order_by?\n"},
                         {R"({"keep":"/items"})", "expected a list of JSON Pointers, found string"},
                         {R"({"keep":["items"]})", "at policy.json, /keep"},
                         {R"([1])", "expected an object, found array"},
                         {R"({"keep":)", "at policy.json, line 1"}}) {
    SCOPED_TRACE(policy);
    write("policy.json", policy);
    EXPECT_THAT(enfold({"fit", "--budget", "500", "--policy", "policy.json", "large.json"}),
                ends(4, "", HasSubstr(want)));
  }
}

TEST_F(Fit, takes_exactly_the_policies_that_their_schema_describes) {
  const auto file = fs::path(ENFOLD_SOURCE_DIR) / "schema" / "settings" / "fit-policy.json";
  const auto schema = schema::Schema::compile(json::parse_own(testing::read_file(file)));
  ASSERT_TRUE(schema) << schema.error().message;
  for (const char* policy :
       {"{}",
        R"({"id":"number","label":"title","order_by":"-score","clip":1,"terms":["a"]})",
        R"({"protect":["/"],"keep":["/a/*"],"drop":["/a~1b/~0"],"columnar":true})",
        R"({"partial":false,"summary":false})",
        "[]",
        R"({"ids":"number"})",
        R"({"id":1})",
        R"({"clip":0})",
        R"({"clip":1000001})",
        R"({"clip":1.5})",
        R"({"clip":"1"})",
        R"({"keep":["a"]})",
        R"({"protect":[""]})",
        R"({"keep":["/~2"]})",
        R"({"keep":[1]})",
        R"({"drop":{}})",
        R"({"terms":"a"})",
        R"({"terms":[1]})",
        R"({"columnar":"yes"})",
        R"({"explain":true})"}) {
    SCOPED_TRACE(policy);
    write("policy.json", policy);
    const Ended ended = enfold({"fit", "--budget", "200", "--policy", "policy.json"}, "{}");
    const auto document = json::parse(policy);
    EXPECT_EQ(ended.exit_code, schema->accepts(document->root()).value() ? 0 : 4) << ended.err;
  }
}

TEST_F(Fit, explains_and_stores_nothing) {
  const Ended ended = enfold({"fit", "--budget", "500", "--explain", "large.json"});
  EXPECT_THAT(ended,
              ends(0,
                   AllOf(StartsWith("answer    large.json\n"
                                    "budget    500 tokens (o200k_base)\nwhole     "),
                         HasSubstr("\nlevel     partial\n"),
                         HasSubstr("\n/total                            whole          1"),
                         HasSubstr("no room\n"), HasSubstr("█"), HasSubstr("\n(around it)  ")),
                   ""));
  EXPECT_FALSE(fs::exists(default_file()));
  const Ended fitted = enfold({"fit", "--budget", "500", "large.json"});
  EXPECT_THAT(ended.out, HasSubstr("enfold fetch " + handle_in(fitted.out) + "\n"));
}

TEST_F(Fit, explains_as_json) {
  const Ended ended =
      enfold({"fit", "--budget", "500", "--client", "codex", "--explain", "--json", "large.json"});
  const auto document = json::parse(ended.out);
  ASSERT_TRUE(document) << ended.err;
  const json::View root = document->root();
  EXPECT_TRUE(root.find("client")->equals("codex"));
  EXPECT_LE(root.find("shown")->find("tokens")->integer(), 500);
  EXPECT_GE(root.find("whole")->find("tokens")->integer(), 5000);
  EXPECT_FALSE(root.find("fits")->boolean());
  std::int64_t tokens = 0;
  for (const json::View part : root.find("parts")->items()) {
    tokens += *part.find("tokens")->integer();
  }
  EXPECT_GT(tokens, 100);
  EXPECT_LE(tokens, 500);
}

TEST_F(Fit, explains_an_answer_that_fits) {
  EXPECT_THAT(enfold({"fit", "--budget", "500", "--explain"}, "{}"),
              ends(0, EndsWith("fits      as it is; nothing is left out or stored\n"), ""));
  EXPECT_THAT(enfold({"fit", "--budget", "500", "--explain", "--json"}, "{}"),
              ends(0, HasSubstr(R"("fits":true,"level":"full")"), ""));
}

TEST_F(Fit, goes_on_after_a_file_that_cannot_be_read) {
  write("broken.json", "{");
  const Ended ended = enfold({"fit", "--budget", "300", "none.json", "broken.json", "large.json"});
  EXPECT_THAT(ended, ends(4, StartsWith("{\"success\":true"),
                          AllOf(HasSubstr("at none.json"), HasSubstr("at broken.json"))));
}

TEST_F(Fit, takes_secrets_out_before_anything_is_archived) {
  const std::string secret = "ghp_" + std::string(36, 'Z');
  const Ended ended = enfold({"fit", "--budget", "300"},
                             R"({"token":")" + secret + R"(","rest":)" + large_answer(200) + "}");
  EXPECT_THAT(ended.out, Not(HasSubstr(secret)));
  const Ended raw = enfold({"fetch", handle_in(ended.out), "--raw"});
  EXPECT_THAT(raw, ends(0, AllOf(HasSubstr("[REDACTED:"), Not(HasSubstr(secret))), ""));
  const std::string file = read(".local/state/enfold/archive.db");
  EXPECT_EQ(file.find(secret), std::string::npos);
}

TEST_F(Fit, refuses_an_answer_that_is_not_in_the_contract_that_was_named) {
  const auto fit = [&](const std::string& from, const std::string& answer) {
    return enfold({"fit", "--budget", "400", "--from", from}, answer);
  };
  EXPECT_THAT(
      fit("response-v2", R"({"items":[1,2,3]})"),
      ends(
          4, "",
          "error: expected an answer in response-v2, found an object without success, data, "
          "error, meta\n  at standard input, /\nhint: remove --from: the input is read as json\n"));
  for (const char* from : {"mcp", "generic", "scalpel-v1", "memory"}) {
    EXPECT_THAT(fit(from, R"({"items":[1,2,3]})"), ends(4, "", HasSubstr("error: expected a")))
        << from;
    EXPECT_THAT(enfold({"convert", "--to", "response-v2", "--from", from}, R"({"items":[1]})"),
                ends(4, "", HasSubstr("error: expected a")))
        << from;
  }
  EXPECT_THAT(fit("mcp", R"({"content":"words"})"), ends(0, HasSubstr("words"), ""));
  EXPECT_THAT(fit("json", R"({"items":[1,2,3]})"), ends(0, HasSubstr("[1,2,3]"), ""));
  EXPECT_THAT(fit("response-v2", R"({"success":true,"data":{"n":1}})"),
              ends(0, HasSubstr(R"("data":{"n":1})"), ""));
}

TEST_F(Fit, that_is_asked_for_wrongly_says_how) {
  struct Case {
    std::vector<std::string> arguments;
    std::string want;
  };
  const std::vector<Case> cases{
      {{"large.json"},
       "error: expected --budget N or --client NAME, found neither\n"
       "hint: say how many tokens the answer may cost, for example --budget 4000\n"},
      {{"--budget", "127"},
       "error: expected a number of tokens from 128 to 1000000000, found \"127\"\n"},
      {{"--budget", "-1"}, "found \"-1\"\n"},
      {{"--budget", "4k"}, "found \"4k\"\n"},
      {{"--budget", "300", "--max-chars", "10"}, "expected a number of characters from 512"},
      {{"--budget", "300", "--max-lines", "0"}, "expected a number of lines from 1"},
      {{"--client", "claud"}, "hint: did you mean claude?\n"},
      {{"--budget", "300", "--to", "memry"}, "hint: did you mean memory?\n"},
      {{"--budget", "300", "--to", "auto"}, "with room for what was left out, found \"auto\"\n"},
      {{"--budget", "300", "--to", "mcp"}, "with room for what was left out, found \"mcp\"\n"},
      {{"--budget", "300", "--to", "json"}, "choose response-v2, response-v1, generic"},
      {{"--budget", "300", "--to", "text"}, "choose response-v2, response-v1, generic"},
      {{"--budget", "300", "--from", "xml"}, "expected the name of a contract, found \"xml\""},
      {{"--budget", "300", "--archive", "memory:"}, "outlives the program"},
      {{"--budget", "300", "--archive", "rediss://localhost"}, "TLS to Redis is not supported"},
      {{"--budget", "300", "--archive", "redis://localhost:99999"}, "port"},
      {{"--budget", "300", "--archiv", "x"}, "hint: did you mean --archive?\n"}};
  for (const Case& one : cases) {
    SCOPED_TRACE(::testing::PrintToString(one.arguments));
    std::vector<std::string> arguments{"fit"};
    arguments.insert(arguments.end(), one.arguments.begin(), one.arguments.end());
    EXPECT_THAT(enfold(arguments, "{}"), ends(5, "", HasSubstr(one.want)));
  }
}

}  // namespace
}  // namespace enfold::cli
