// SPDX-License-Identifier: Apache-2.0
// Values of a request that the admin API cannot use: it refuses them, and does not ignore them.
#include "enfold/gateway/admin/http/values.h"

#include "tests/admin/site.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

// Of the answer of the last call.
std::string handle_of(AdminSite& site) {
  const json::Value row = site.last_row();
  return row->find("handle")->string();
}

TEST(AdminValues, that_cannot_be_used_are_refused_with_status_400_and_their_name) {
  AdminSite site;
  site.log_in();
  (void)site.result(large_answer());
  const std::string handle = handle_of(site);
  const std::string fit = site.last_path() + "/fit";
  const std::string query = "/api/v1/archive/" + handle + "/query";
  struct Row {
    std::string path;
    std::string body;  // empty: GET
    std::string says;
  };
  const Row rows[] = {
      {"/api/v1/answers?limit=-1", "", "expected a number, found -1 (limit)"},
      {"/api/v1/answers?limit=abc", "", "found abc (limit)"},
      {"/api/v1/answers?before=1.5", "", "(before)"},
      {"/api/v1/answers?after=99999999999999999999", "", "(after)"},
      {"/api/v1/answers?what=nonsense", "", "expected one of whole, cut, repaired"},
      {"/api/v1/answers?outcome=fine", "", "(outcome)"},
      {"/api/v1/answers/export?what=nonsense", "", "(what)"},
      {"/api/v1/archive?offset=-1", "", "(offset)"},
      {site.last_path() + "/golden?tokens=0", "", "expected a positive number, found 0 (tokens)"},
      {query, R"({"sql":1})", "expected a string, found 1 (sql)"},
      {query, R"({"pointer":["/a"]})", "(pointer)"},
      {fit, R"({"budget":{"tokens":-1}})", "found -1 (budget/tokens)"},
      {fit, R"({"budget":{"tokens":1e30}})", "(budget/tokens)"},
      {fit, R"({"budget":{"lines":"9"}})", "(budget/lines)"},
      {fit, R"({"budget":500})", "expected an object, found 500 (budget)"},
      {fit, R"({"level":5})", "expected a string, found 5 (level)"},
      {"/api/v1/check", R"({"upstream":"up","call":1})", "expected true or false, found 1 (call)"},
  };
  for (const Row& row : rows) {
    const auto reply =
        site.send(row.body.empty() ? "GET" : "POST", row.path, row.body, site.own_fields());
    EXPECT_EQ(reply.head.status(), 400) << row.path << row.body;
    EXPECT_THAT(reply.body, HasSubstr(row.says)) << row.path << row.body;
    EXPECT_EQ(violations("error", json::parse_own(reply.body).view()), "") << reply.body;
  }
}

TEST(AdminValues, that_are_empty_or_null_count_as_left_out) {
  AdminSite site;
  site.log_in();
  (void)site.result(large_answer());
  (void)site.get("/api/v1/answers?limit=&what=&outcome=", "answers");
  (void)site.post(site.last_path() + "/fit", R"({"level":null,"budget":{"tokens":null}})", "view");
}

TEST(AdminValues, sql_that_is_refused_does_not_say_that_the_login_has_ended) {
  AdminSite site;
  site.log_in();
  (void)site.result(large_answer());
  const std::string query = "/api/v1/archive/" + handle_of(site) + "/query";
  const auto reply = site.send("POST", query, R"({"sql":"attach 'x' as y"})", site.own_fields());
  EXPECT_EQ(reply.head.status(), 400) << reply.body;
  EXPECT_THAT(reply.body, HasSubstr(R"("code":"invalid_input")"));
}

TEST(AdminValues, file_names_have_no_folder_and_are_not_hidden) {
  const std::pair<std::string, std::string> rows[] = {
      {"list_items", "list_items"},
      {"../../../etc/cron.d/x", "_.._.._.._etc_cron.d_x"},
      {"..", "_.."},
      {".bashrc", "_.bashrc"},
      {"-rf", "_-rf"},
      {"", "_"},
  };
  for (const auto& [name, want] : rows) {
    const std::string safe = file_name_of(name);
    EXPECT_EQ(safe.find('/'), std::string::npos) << name;
    EXPECT_EQ(safe, want);
  }
  EXPECT_LE(file_name_of(std::string(1'000, 'x')).size(), 101U);
}

}  // namespace
}  // namespace enfold::gateway
