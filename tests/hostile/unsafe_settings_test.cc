// SPDX-License-Identifier: Apache-2.0
// Settings that would let others in are refused until the operator accepts the risk.
#include "enfold/gateway/config/risks.h"
#include "tests/gateway/config_text.h"
#include "tests/store/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

const std::string kUpstream = "[upstreams.a]\ncommand = \"x\"\n";
const std::string kPrincipal = "[principals.anna]\nkey_sha256 = \"" + std::string(64, 'a') + "\"\n";

TEST(UnsafeSettings, refuse_to_start_unless_they_are_accepted) {
  const std::string open = "[listen]\naddress = \"0.0.0.0:8080\"\n";
  const struct {
    std::string text;
    std::string risk;
    std::string advice;
  } rows[] = {
      {open + kUpstream, "open_address", "[principals.NAME]"},
      {"[listen]\naddress = \"[::]:80\"\n" + kUpstream, "open_address", "127.0.0.1"},
      {open + kUpstream + kPrincipal, "plain_http", "cert_file"},
  };
  for (const auto& row : rows) {
    const std::vector<Error> errors = errors_of(row.text);
    ASSERT_EQ(errors.size(), 1U) << row.text;
    EXPECT_THAT(errors[0].hint, HasSubstr(row.advice));
    EXPECT_THAT(errors[0].hint, HasSubstr("accept_risk = [\"" + row.risk + "\"]"));
    EXPECT_TRUE(errors_of("accept_risk = [\"" + row.risk + "\"]\n" + row.text).empty());
    EXPECT_EQ(errors_of("accept_risk = [\"readable_key\"]\n" + row.text).size(), 1U);
  }
  EXPECT_TRUE(errors_of("[listen]\naddress = \"127.0.0.1:80\"\n" + kUpstream).empty());
  EXPECT_TRUE(errors_of("[listen]\naddress = \"localhost:80\"\n" + kUpstream + kPrincipal).empty());
  EXPECT_THAT(errors_of("accept_risk = [\"opn_address\"]\n" + kUpstream).at(0).hint,
              HasSubstr("open_address"));
}

TEST(UnsafeSettings, are_found_in_the_rights_of_files) {
  namespace fs = std::filesystem;
  const store::testing::TemporaryFolder folder;
  const fs::path file = folder.path() / "file";
  std::ofstream(file) << "x";
  const struct {
    unsigned rights;
    bool is_open_config;
    bool is_open_key;
  } rows[] = {{0600, false, false}, {0640, false, false}, {0660, false, false},
              {0644, false, true},  {0646, true, true},   {0602, true, true}};
  for (const auto& row : rows) {
    fs::permissions(file, static_cast<fs::perms>(row.rights));
    EXPECT_EQ(!file_risks(file, "").empty(), row.is_open_config) << row.rights;
    EXPECT_EQ(!file_risks("", file).empty(), row.is_open_key) << row.rights;
  }
  EXPECT_TRUE(file_risks(folder.path() / "missing", folder.path() / "missing").empty());
}

TEST(ProgramOfAnUpstream, gets_few_variables_and_no_new_privileges) {
  const auto serving = serve(kUpstream + "env = {TOKEN = {env = \"TOKEN\"}}\n" +
                             "env_passthrough = [\"AWS_*\"]\nmax_open_files = 512\n");
  ASSERT_TRUE(serving);
  const auto& target = std::get<client::StdioTarget>(serving->settings.upstreams[0].target);
  ASSERT_TRUE(target.inherited_variables);
  EXPECT_THAT(*target.inherited_variables,
              ::testing::IsSupersetOf({"PATH", "HOME", "LC_*", "AWS_*"}));
  EXPECT_EQ(target.limits, (net::ProcessLimits{true, true, 512, std::nullopt}));
  EXPECT_EQ(target.environment,
            (std::vector<std::pair<std::string, std::string>>{{"TOKEN", "s3cret"}}));
}

}  // namespace
}  // namespace enfold::gateway
