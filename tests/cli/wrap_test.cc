// SPDX-License-Identifier: Apache-2.0
// `enfold wrap` in the place of a server's own command. The server is a few lines of shell.
#include "enfold/json/write.h"
#include "tests/cli/program.h"

#include <chrono>
#include <csignal>
#include <fmt/core.h>
#include <memory>
#include <set>
#include <thread>

namespace enfold::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Wrap : public ProgramTest {
 protected:
  static std::string hello() {
    return R"({"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":)"
           R"("2025-11-25","clientInfo":{"name":"tester","version":"1"},"capabilities":{}}})"
           "\n"
           R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
           "\n";
  }
  static std::string call() {
    return R"({"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"big"}})"
           "\n";
  }
  /// Greets, then answers one call with this result.
  void script(const std::string& result) const {
    write("answer.json", fmt::format(R"({{"jsonrpc":"2.0","id":2,"result":{}}})", result) + "\n");
    write("server.sh", "read -r line\n" + greeting() +
                           "read -r line; read -r line\ncat answer.json\nread -r line\n");
  }
  static std::string greeting() {
    return R"(printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25",)"
           R"("capabilities":{"tools":{}},"serverInfo":{"name":"shell","version":"1"}}}')"
           "\n";
  }
};

/// A server whose tool takes a minute, wrapped, with a call open.
class WrapInTrouble : public Wrap {
 protected:
  using Clock = std::chrono::steady_clock;

  std::unique_ptr<Running> wrap(const std::string& server, const std::string& input,
                                const std::vector<std::string>& options = {}) const {
    write("server.sh", server);
    std::vector<std::string> arguments{"wrap"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"--", "bash", "server.sh"});
    return std::make_unique<Running>(
        Command{.arguments = arguments, .input = input, .folder = folder()});
  }
  static std::string hangs_in_a_call(const std::string& before = "") {
    return before + "read -r line\n" + greeting() +
           "read -r line; read -r line\necho $$ >pid.new; mv pid.new pid\n"
           "sleep 60\nsleep 60\n";
  }
  pid_t server() const {
    const auto limit = Clock::now() + std::chrono::seconds(60);
    while (!std::filesystem::exists(folder() / "pid") && Clock::now() < limit) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return std::stoi(read("pid"));
  }
  static std::chrono::milliseconds end_of(Running& wrap) {
    const auto begun = Clock::now();
    wrap.finish();
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begun);
  }
  static bool is_gone(pid_t process) { return ::kill(process, 0) != 0; }
};

// The values of a message by id, in the order they came.
json::Value answer_to(const std::string& out, std::string_view id) {
  std::size_t begin = 0;
  while (begin < out.size()) {
    const std::size_t end = out.find('\n', begin);
    const json::Value message = json::parse_own(std::string_view(out).substr(begin, end - begin));
    if (message->find("id") && message->find("id")->equals(id)) return message;
    begin = end + 1;
  }
  return {};
}

TEST_F(Wrap, without_an_archive_cuts_and_says_so) {
  script(fmt::format(R"({{"content":[{{"type":"text","text":"{}"}}]}})", std::string(90'000, 'x')));
  const Ended ended =
      enfold({"wrap", "--archive", "none", "--", "bash", "server.sh"}, hello() + call());
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("ARCHIVE_DISABLED"), HasSubstr("content_fidelity"),
                               Not(HasSubstr("content_archive_hashes"))));
}

// A file that is an archive is left alone until something is put into it.
TEST_F(Wrap, opens_an_archive_file_when_it_is_needed_and_says_at_once_what_cannot_be_one) {
  script(R"({"content":[{"type":"text","text":"small"}]})");
  const std::vector<std::string> small{"wrap", "--archive", "a.db", "--", "bash", "server.sh"};
  EXPECT_EQ(enfold(small, hello() + call()).exit_code, 0);
  const std::string head = read("a.db").substr(0, 100);
  write("b.db", head + std::string(3996, '\0'));  // the head is good, what follows is not
  EXPECT_EQ(
      enfold({"wrap", "--archive", "b.db", "--", "bash", "server.sh"}, hello() + call()).exit_code,
      0)
      << "nobody looked inside";
  write("notes.txt",
        "these are notes, and more than a hundred bytes of them" + std::string(99, '.'));
  const Ended bad = enfold({"wrap", "--archive", "notes.txt", "--", "bash", "server.sh"}, hello());
  EXPECT_NE(bad.exit_code, 0);
  EXPECT_THAT(bad.err, HasSubstr("error: "));
}

TEST_F(Wrap, fits_an_answer_and_fetch_gives_every_byte_of_it_back) {
  std::string rows;
  for (int i = 0; i < 3000; ++i) {
    rows += fmt::format(R"({}{{"id": {}, "n":1.50}})", i == 0 ? "" : ", ", i);
  }
  const std::string result =
      fmt::format(R"({{"content":[], "structuredContent":{{"rows":[{}]}},"odd":1e2}})", rows);
  script(result);
  const Ended ended =
      enfold({"wrap", "--budget", "500", "--", "bash", "server.sh"}, hello() + call());
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr(R"("serverInfo":{"name":"shell","version":"1"})"));
  const json::Value answer = answer_to(ended.out, "b");
  const auto meta = answer->find("result")->find("structuredContent")->find("meta");
  const auto hashes = meta->find("content_archive_hashes");
  ASSERT_TRUE(hashes) << ended.out;
  const std::string handle = (*hashes->members().begin()).key.string();
  EXPECT_THAT(enfold({"fetch", handle, "--raw"}), ends(0, result, ""));
}

TEST_F(Wrap, archives_an_answer_that_a_budget_cuts_without_a_contract) {
  const std::string result =
      fmt::format(R"({{"content":[{{"type":"text","text":"{}"}}]}})", std::string(9'000, 'x'));
  script(result);
  const Ended ended =
      enfold({"wrap", "--contract", "none", "--budget", "300", "--", "bash", "server.sh"},
             hello() + call());
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("CONTRACT_APPLIED"));
  const json::Value answer = answer_to(ended.out, "b");
  const auto meta = answer->find("result")->find("structuredContent")->find("meta");
  const auto hashes = meta->find("content_archive_hashes");
  ASSERT_TRUE(hashes) << ended.out;
  const std::string handle = (*hashes->members().begin()).key.string();
  EXPECT_THAT(enfold({"fetch", handle, "--raw"}), ends(0, result, ""));
}

TEST_F(Wrap, passes_an_answer_as_it_is_without_a_contract) {
  const std::string result = R"({"content":[ ],"x":{"y" : 1.0}})";
  script(result);
  const Ended ended =
      enfold({"wrap", "--contract", "none", "--", "bash", "server.sh"}, hello() + call());
  EXPECT_THAT(ended,
              ends(0, HasSubstr(R"({"jsonrpc":"2.0","id":"b","result":)" + result + "}\n"), ""));
}

TEST_F(Wrap, tells_the_client_and_the_user_of_a_server_that_cannot_be_started) {
  EXPECT_THAT(enfold({"wrap", "--", "/no/such/program"}, hello()),
              ends(4,
                   AllOf(HasSubstr(R"("id":"a","error":)"), HasSubstr("/no/such/program"),
                         HasSubstr("check that it is installed and in PATH")),
                   HasSubstr("error: the server was never reached: cannot start the program: No "
                             "such file or directory\n"
                             "  at /no/such/program\n"
                             "hint: check that it is installed and in PATH\n")));
}

TEST_F(Wrap, tells_the_client_what_a_server_said_before_it_ended_but_no_secret_of_it) {
  const Ended ended = enfold({"wrap", "--", "bash", "-c",
                              "echo 'no room; api_key=sk-abcdefghijklmnopqrstuvwx' >&2; exit 3"},
                             hello());
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_THAT(ended.out,
              AllOf(HasSubstr("the server ended with exit code 3"), HasSubstr("it said last:"),
                    HasSubstr("no room"), Not(HasSubstr("sk-abcdefghijklmnop"))));
  EXPECT_THAT(ended.err, HasSubstr("error: the server was never reached: the server ended with "
                                   "exit code 3\n  at bash\n"));
}

TEST_F(Wrap, tells_of_a_program_that_is_not_there_even_when_nobody_asks) {
  const std::string want =
      "error: cannot start the program: No such file or directory\n"
      "  at /no/such/program\n"
      "hint: check that it is installed and in PATH\n";
  EXPECT_THAT(enfold({"wrap", "--", "/no/such/program"}), ends(4, "", want));
  EXPECT_THAT(
      enfold_with({.arguments = {"wrap", "--", "/no/such/program"}, .input_is_terminal = true}),
      ends(4, "", want));
}

TEST_F(Wrap, serves_the_dashboard_on_a_port_of_its_own_only_if_asked) {
  script(R"({"content":[]})");
  EXPECT_THAT(enfold({"wrap", "--ui", "--", "bash", "server.sh"}, hello() + call()).err,
              HasSubstr("dashboard at http://127.0.0.1:"));
  EXPECT_THAT(enfold({"wrap", "--", "bash", "server.sh"}, hello() + call()).err,
              Not(HasSubstr("dashboard")));
  EXPECT_THAT(enfold({"wrap", "--ui=high", "--", "bash", "server.sh"}),
              ends(5, "", HasSubstr("expected a port, found \"high\"")));
}

TEST_F(Wrap, is_silent_for_a_client_that_says_nothing) {
  EXPECT_THAT(enfold({"wrap", "--", "bash", "-c", "touch started"}), ends(0, "", ""));
  EXPECT_FALSE(std::filesystem::exists(folder() / "started")) << "nobody asked for it";
}

TEST_F(Wrap, says_at_a_terminal_what_it_waits_for) {
  const Ended ended = enfold_with(
      {.arguments = {"wrap", "--", "bash", "-c", "touch started"}, .input_is_terminal = true});
  EXPECT_THAT(ended.err, HasSubstr("waiting for an MCP client on standard input"));
}

// As SDKs end a server: the end of its input, SIGTERM two seconds later, SIGKILL after two more.
TEST_F(WrapInTrouble, ends_with_its_server_before_a_client_that_closes_it_kills_it) {
  const auto wrapped = wrap(hangs_in_a_call(), hello() + call());
  const pid_t child = server();
  wrapped->end_input();
  wrapped->signal(SIGTERM);
  EXPECT_LT(end_of(*wrapped), std::chrono::milliseconds(1900));
  EXPECT_TRUE(is_gone(child));
}

TEST_F(WrapInTrouble, ends_soon_when_it_is_told_to_before_the_server_has_greeted) {
  const auto wrapped = wrap("echo $$ >pid.new; mv pid.new pid\nsleep 97\n", hello());
  const pid_t child = server();
  wrapped->signal(SIGTERM);
  EXPECT_LT(end_of(*wrapped), std::chrono::milliseconds(1900));
  EXPECT_TRUE(is_gone(child));
}

TEST_F(WrapInTrouble, ends_at_once_with_the_second_signal) {
  const auto wrapped = wrap(hangs_in_a_call("trap '' TERM\n"), hello() + call());
  const pid_t child = server();
  wrapped->signal(SIGTERM);
  wrapped->listen(std::chrono::milliseconds(100));
  EXPECT_FALSE(is_gone(child)) << "a call is open";
  wrapped->signal(SIGTERM);
  EXPECT_LT(end_of(*wrapped), std::chrono::milliseconds(900));
  EXPECT_TRUE(is_gone(child));
}

// More than may wait for a client: what has no room is an error, and no answer is missing.
TEST_F(WrapInTrouble, answers_every_call_of_a_client_that_reads_late) {
  constexpr int kCalls = 10;
  write("big", std::string(9'000'000, 'x'));
  std::string calls;
  for (int i = 0; i < kCalls; ++i) {
    calls += fmt::format(
        R"({{"jsonrpc":"2.0","id":"b{}","method":"tools/call","params":{{"name":"big"}}}})"
        "\n",
        i);
  }
  const auto wrapped = wrap("read -r line\n" + greeting() +
                                "read -r line\nfor i in $(seq 2 11); do read -r line\n"
                                R"(printf '{"jsonrpc":"2.0","id":%d,"result":{"content":)"
                                R"([{"type":"text","text":"' $i; cat big; printf '"}]}}\n'; done)"
                                "\necho $$ >pid.new; mv pid.new pid\ncat >/dev/null\n",
                            hello() + calls, {"--contract", "none"});
  static_cast<void>(server());  // it has answered
  wrapped->end_input();
  wrapped->finish();
  std::set<std::string> answered;
  std::size_t errors = 0;
  for (const std::string& line : wrapped->lines()) {
    answered.insert(line.substr(0, line.find(',', line.find("\"id\""))));
    errors += line.find("bytes wait for the client") != std::string::npos ? 1U : 0U;
  }
  EXPECT_EQ(answered.size(), kCalls + 1U);
  EXPECT_GT(errors, 0U);
}

TEST_F(Wrap, refuses_what_cannot_be_meant) {
  struct Case {
    const char* name;
    std::vector<std::string> arguments;
    const char* want;
  };
  const Case cases[] = {
      {"no server", {}, "expected a server"},
      {"two servers", {"--upstream", "http://127.0.0.1:1/mcp", "--", "x"}, "found both"},
      {"contract", {"--contract", "response-v3", "--", "x"}, "did you mean response-v2?"},
      {"level", {"--level", "tiny", "--", "x"}, "minimal, standard or full"},
      {"client", {"--client", "claud", "--", "x"}, "did you mean claude?"},
      {"protocol", {"--protocol", "old", "--", "x"}, "auto, stateless or sessions"},
      {"url", {"--upstream", "ftp://x"}, "http"},
      {"header", {"--header", "A: b", "--", "x"}, "--header is only for servers with --upstream"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    std::vector<std::string> arguments{"wrap"};
    arguments.insert(arguments.end(), one.arguments.begin(), one.arguments.end());
    EXPECT_THAT(enfold(arguments), ends(5, "", HasSubstr(one.want)));
  }
}

}  // namespace
}  // namespace enfold::cli
