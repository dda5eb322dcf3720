// SPDX-License-Identifier: Apache-2.0
// Settings of any layout: wrapping changes nothing else, and unwrapping restores every byte.
#include "enfold/gateway/clients/wrap.h"
#include "tests/support/cases.h"

#include <gtest/gtest.h>

namespace enfold::gateway {
namespace {

int below(int end) { return *rc::gen::inRange(0, end); }

template <std::size_t N>
std::string one_of(const char* const (&choices)[N]) {
  return choices[static_cast<std::size_t>(below(N))];
}

// White space and comments between two tokens of JSONC.
std::string gap() {
  return one_of(
      {"", " ", "", "\n", "\r\n  ", "\t", " // note, ]\n", "/* \" { */", "\n\n    ", " "});
}

std::string word() {
  return one_of({R"("npx")", R"("n\u0070x")", R"("-y")", R"("a \"b\" c")", R"("//x")", R"("[x,]")",
                 R"("é☃")", R"("--")", R"("${env:X}")"});
}

std::string json_list(int items) {
  std::string out = "[" + gap();
  for (int i = 0; i < items; ++i) out += (i > 0 ? "," + gap() : "") + word() + gap();
  if (items > 0 && below(4) == 0) out += "," + gap();
  return out + "]";
}

std::string json_object(std::vector<std::string> members) {
  std::string out = "{" + gap();
  for (std::size_t i = 0; i < members.size(); ++i) {
    out += (i > 0 ? "," + gap() : "") + members[i] + gap();
  }
  if (!members.empty() && below(4) == 0) out += "," + gap();
  return out + "}";
}

std::string member(const std::string& key, const std::string& value) {
  return "\"" + key + "\"" + gap() + ":" + gap() + value;
}

std::string json_server(bool is_list) {
  std::vector<std::string> members;
  if (is_list) {
    members.push_back(member("command", json_list(1 + below(4))));
  } else {
    members.push_back(member("command", R"("npx")"));
    if (below(3) > 0) members.push_back(member("args", json_list(below(4))));
  }
  members.push_back(member("env", json_object({member("A", R"("unedited")")})));
  if (below(2) == 0) std::swap(members.front(), members.back());
  if (below(2) == 0) members.push_back(member("type", R"("local")"));
  return json_object(members);
}

std::string json_settings(bool is_opencode) {
  std::vector<std::string> servers;
  for (int i = below(4); i > 0; --i) {
    servers.push_back(member("s" + std::to_string(i), json_server(is_opencode)));
  }
  const std::string map = member(is_opencode ? "mcp" : "mcpServers", json_object(servers));
  std::string out = below(4) == 0 ? "\xEF\xBB\xBF" : "";
  return out + gap() + json_object({member("theme", R"("unedited")"), map}) + gap();
}

std::string toml_end() { return one_of({"\n", " # note, ]\n", "\r\n", "\n\n", "\t\n"}); }

std::string toml_word() {
  return one_of({R"("npx")", "'-y'", R"("é☃")", R"("a \" # b")", "'''x'''", R"("""y""")"});
}

std::string toml_list() {
  std::string out = "[";
  const int items = below(4);
  for (int i = 0; i < items; ++i) {
    out += one_of({"", " ", "\n  ", " # a ]\n", "\r\n"}) + toml_word() +
           (i + 1 < items || below(3) == 0 ? "," : "");
  }
  return out + one_of({"", " ", "\n"}) + "]";
}

std::string toml_settings() {
  std::string out = below(4) == 0 ? "\xEF\xBB\xBF" : "";
  out += "theme = \"unedited\"" + toml_end();
  const int servers = below(4);
  for (int i = 0; i < servers; ++i) {  // dotted keys belong to the root, so they come first
    const std::string name = "mcp_servers." + std::to_string(i) + one_of({".", " . "});
    if (i % 2 == 0) out += name + "command = " + toml_word() + toml_end();
  }
  for (int i = 0; i < servers; ++i) {
    if (i % 2 == 0) continue;
    out += one_of({"", "  "}) + "[mcp_servers.\"é " + std::to_string(i) + "\"]" + toml_end();
    const std::string command = one_of({"", "  "}) + "command=" + toml_word() + toml_end();
    const std::string list = below(2) == 0 ? "args = " + toml_list() + toml_end() : "";
    out += below(2) == 0 ? command + list : list + command;
    out += "env = { A = \"unedited\" }" + toml_end();
  }
  return out + "[last]\nx = { y = 1 }" + one_of({"", "\n"});
}

// What a user does in between: another value, and a comment at the end.
std::string edited(std::string text, bool is_toml) {
  for (std::size_t at = 0; (at = text.find("unedited", at)) != std::string::npos; at += 2) {
    text.replace(at, 8, "edited by hand");
    at += 10;
  }
  return text + (is_toml ? "\n# more\nz = 3\n" : " // more\n");
}

void check_round_trip(const std::string& text, std::string_view client) {
  const bool is_toml = client == "codex";
  const auto original = ClientSettings::read(text, "settings", find_client_format(client));
  RC_ASSERT(original.has_value());
  const auto wrapped = wrap_servers(*original, {"enfold"});
  RC_ASSERT(wrapped.has_value());
  const std::vector<WrappedServer> servers = wrapped->wrapped();
  const auto again = ClientSettings::read(wrapped->text, "settings", find_client_format(client));
  RC_ASSERT(again.has_value());
  RC_ASSERT(wrap_servers(*again, {"enfold"}).value().text == wrapped->text);
  RC_ASSERT(unwrap_servers(*again, &servers).value().text == text);
  const auto changed =
      ClientSettings::read(edited(wrapped->text, is_toml), "settings", find_client_format(client));
  RC_ASSERT(changed.has_value());
  RC_ASSERT(unwrap_servers(*changed, &servers).value().text == edited(text, is_toml));
}

TEST(ClientWrap, restores_every_byte_of_json_with_comments) {
  testing::check_property("client_wrap_json", testing::property_cases(1'000, 100'000),
                          [] { check_round_trip(json_settings(false), "other"); });
}

TEST(ClientWrap, restores_every_byte_of_command_lists) {
  testing::check_property("client_wrap_list", testing::property_cases(500, 50'000),
                          [] { check_round_trip(json_settings(true), "opencode"); });
}

TEST(ClientWrap, restores_every_byte_of_toml) {
  testing::check_property("client_wrap_toml", testing::property_cases(500, 50'000),
                          [] { check_round_trip(toml_settings(), "codex"); });
}

}  // namespace
}  // namespace enfold::gateway
