// SPDX-License-Identifier: Apache-2.0
// The promise only_for_its_owner, through a gateway over HTTP: whatever was made for one principal
// is for another like something that never was, to the letter.
#include "tests/gateway/front.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kAnnaKey = "anna-0123456789abcdef";
constexpr const char* kBenKey = "ben-0123456789abcdef";
constexpr const char* kAsks = R"({"elicitation":{}})";

Settings two_people(const std::string& era, const std::string& contract = "response-v2") {
  Settings settings = for_many(upstream(era), contract);
  settings.principals = {principal("anna", kAnnaKey), principal("ben", kBenKey)};
  return settings;
}

std::string text_at(const Heard& heard, const std::string& pointer) {
  const std::string found = heard.at(pointer);
  return found.size() >= 2 && found.front() == '"' ? found.substr(1, found.size() - 2) : found;
}

// The request's own words, and its id, are no part of what it says.
std::string without(std::string text, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word)) {
      text.replace(at, word.size(), "…");
    }
  }
  for (std::size_t id = text.find("req_"); id != std::string::npos; id = text.find("req_")) {
    text.replace(id, 16, "…");
  }
  return text;
}

std::string said(const Heard& heard, const std::vector<std::string>& own_words) {
  return without(json::to_text(heard.result.view()), own_words);
}

/// A principal in both eras.
struct Person {
  Person(Front& front, const std::string& key) : voice(front.voice(key)) {
    session = voice->open_session();
  }
  /// Without a session, then in one.
  std::vector<Heard> call(const std::string& tool, const std::string& arguments) {
    return {voice->call(tool, arguments), voice->call_in(session, tool, arguments)};
  }
  std::unique_ptr<Voice> voice;
  std::string session;
};

/// What somebody was given in one era and opens in the other.
struct Given {
  const char* name;
  std::string what;  ///< the member of enfold_fetch that takes it
  std::string theirs;
  std::string unknown;  ///< what looks like it and never was
  const char* code;
};

std::vector<Given> given_to(Person& person, bool in_session) {
  const std::string arguments =
      fmt::format(R"({{"raw":{}}})", json::quote(large_answer(2000, person.session)));
  const Heard cut = in_session ? person.voice->call_in(person.session, "result", arguments)
                               : person.voice->call("result", arguments);
  const std::string hashes = cut.at("/structuredContent/meta/content_archive_hashes");
  const std::string handle = hashes.substr(2, 12);
  const std::string hash = hashes.substr(17, 71);
  const Heard page = person.voice->call(
      "enfold_fetch", fmt::format(R"({{"handle":"{}","pointer":"/rows"}})", handle));
  const std::string cursor = text_at(page, "/structuredContent/meta/pagination/cursor");
  EXPECT_EQ(hash.substr(0, 7), "sha256:");
  EXPECT_NE(cursor, "(none)") << page.at("/structuredContent/meta").substr(0, 2000);
  std::string altered = cursor;
  altered[altered.size() / 2] = altered[altered.size() / 2] == 'A' ? 'B' : 'A';
  return {{"handle", "handle", handle, "987654321098", "NOT_FOUND"},
          {"hash", "handle", hash, "sha256:" + std::string(64, 'a'), "NOT_FOUND"},
          {"cursor", "cursor", cursor, altered, "INVALID_FORMAT"}};
}

TEST(OnlyForItsOwner, opens_what_is_archived_in_no_combination) {
  Front front(two_people("sessions"));
  Person anna(front, kAnnaKey);
  Person ben(front, kBenKey);
  int combinations = 0;
  for (const auto& [owner, stranger] : {std::pair(&anna, &ben), std::pair(&ben, &anna)}) {
    for (const bool in_session : {false, true}) {
      for (const Given& given : given_to(*owner, in_session)) {
        SCOPED_TRACE(
            fmt::format("{}, made {} a session", given.name, in_session ? "in" : "without"));
        const auto ask = [&](const std::string& reference) {
          return fmt::format(R"({{"{}":"{}"}})", given.what, reference);
        };
        for (const Heard& own : owner->call("enfold_fetch", ask(given.theirs))) {
          EXPECT_EQ(own.at("/isError"), "false") << own.body;
        }
        const std::vector<Heard> foreign = stranger->call("enfold_fetch", ask(given.theirs));
        const std::vector<Heard> unknown = stranger->call("enfold_fetch", ask(given.unknown));
        for (std::size_t era = 0; era < foreign.size(); ++era) {
          ++combinations;
          const std::vector<std::string> own_words{given.theirs, given.unknown};
          EXPECT_EQ(text_at(foreign[era], "/structuredContent/data/error_code"), given.code);
          EXPECT_EQ(said(foreign[era], own_words), said(unknown[era], own_words));
          EXPECT_THAT(foreign[era].body, Not(HasSubstr(owner->session)));
        }
      }
    }
  }
  EXPECT_EQ(combinations, 2 * 2 * 3 * 2);
}

TEST(OnlyForItsOwner, lets_nobody_else_into_a_session) {
  Front front(two_people("sessions"));
  const auto anna = front.voice(kAnnaKey);
  const auto ben = front.voice(kBenKey);
  const std::string session = anna->open_session();
  const std::string unknown(32, 'f');
  const std::string ping = R"({"jsonrpc":"2.0","id":7,"method":"ping"})";
  for (const char* const method : {"POST", "GET", "DELETE"}) {
    SCOPED_TRACE(method);
    const std::string body = std::string(method) == "POST" ? ping : "";
    const Heard foreign = ben->request(method, body, Voice::in(session));
    const Heard never = ben->request(method, body, Voice::in(unknown));
    EXPECT_EQ(foreign.status, 404);
    EXPECT_EQ(foreign.body, never.body);
    EXPECT_EQ(foreign.status, never.status);
    EXPECT_EQ(front.voice()->request(method, body, Voice::in(session)).status, 401);
  }
  EXPECT_EQ(anna->call_in(session, "echo").at("/isError"), "false") << "it is still hers";
}

// A server with sessions asks: the call waits at the gateway.
TEST(OnlyForItsOwner, lets_nobody_else_answer_a_question_that_waits) {
  Front front(two_people("sessions"));
  const auto anna = front.voice(kAnnaKey);
  const auto ben = front.voice(kBenKey);
  const Heard asked = anna->call("elicit", "{}", "", kAsks);
  const std::string state = text_at(asked, "/requestState");
  ASSERT_EQ(asked.at("/resultType"), R"("input_required")") << asked.body;
  const json::Value questions(*asked.result->find("inputRequests"));
  const std::string key = (*questions->members().begin()).key.string();
  const auto answer = [&](const std::string& with_state) {
    return fmt::format(R"(,"requestState":"{}","inputResponses":{{{}:{{"action":"accept"}}}})",
                       with_state, json::quote(key));
  };
  const Heard foreign = ben->call("elicit", "{}", answer(state), kAsks);
  const Heard unknown = ben->call("elicit", "{}", answer(std::string(32, 'f')), kAsks);
  EXPECT_EQ(foreign.at("/code"), "-32602");
  EXPECT_EQ(foreign.body, unknown.body);
  const Heard own = anna->call("elicit", "{}", answer(state), kAsks);
  EXPECT_THAT(own.body, HasSubstr("accept")) << "it still waits for her";
  EXPECT_EQ(anna->call("elicit", "{}", answer(state), kAsks).body, unknown.body) << "once";
}

// Every question that waits keeps a process.
TEST(OnlyForItsOwner, so_many_questions_may_wait) {
  Front front(two_people("sessions"));
  const auto anna = front.voice(kAnnaKey);
  const auto ben = front.voice(kBenKey);
  for (int i = 0; i < 64; ++i) {
    ASSERT_EQ(anna->call("elicit", "{}", "", kAsks).at("/resultType"), R"("input_required")") << i;
  }
  const Heard refused = anna->call("elicit", "{}", "", kAsks);
  EXPECT_EQ(refused.at("/resultType"), R"("complete")") << refused.body;
  EXPECT_EQ(ben->call("elicit", "{}", "", kAsks).at("/resultType"), R"("input_required")")
      << "his own are counted apart";
}

// A server without sessions asks: what it wants to see again is sealed on its way.
TEST(OnlyForItsOwner, seals_what_a_server_wants_to_see_again) {
  Front front(two_people("stateless"));
  const auto anna = front.voice(kAnnaKey);
  const auto ben = front.voice(kBenKey);
  const Heard asked = anna->call("ask", "{}", "", kAsks);
  const std::string state = text_at(asked, "/requestState");
  ASSERT_EQ(asked.at("/resultType"), R"("input_required")") << asked.body;
  EXPECT_NE(state, "s1");
  const auto answer = [](const std::string& with_state) {
    return fmt::format(R"(,"requestState":"{}","inputResponses":{{"who":{{"action":"accept"}}}})",
                       with_state);
  };
  const Heard foreign = ben->call("ask", "{}", answer(state), kAsks);
  const Heard unknown = ben->call("ask", "{}", answer("s1"), kAsks);
  EXPECT_EQ(foreign.at("/code"), "-32602");
  EXPECT_EQ(foreign.body, unknown.body);
  EXPECT_EQ(anna->call("echo", "{}", answer(state), kAsks).body, unknown.body) << "another tool";
  const Heard own = anna->call("ask", "{}", answer(state), kAsks);
  EXPECT_THAT(own.body, HasSubstr("accept"));
}

// What a server logs may be about any call on its connection.
TEST(OnlyForItsOwner, tells_each_principal_what_its_own_process_logs) {
  Front front(two_people("sessions"));
  const auto anna = front.voice(kAnnaKey);
  const auto ben = front.voice(kBenKey);
  ben->more_meta = R"(,"io.modelcontextprotocol/logLevel":"debug")";
  EXPECT_THAT(ben->call("log").body, HasSubstr("notifications/message")) << "nobody else is there";
  const auto waits = anna->send_call("silent");
  ASSERT_TRUE(front.loop.until([&] { return front.gateway->report().open_calls == 1; }));
  EXPECT_THAT(ben->call("log").body, HasSubstr("notifications/message")) << "his own process";
}

TEST(OnlyForItsOwner, leaves_the_state_of_a_server_alone_without_a_login) {
  Front front(for_many(upstream("stateless"), "none"));
  const Heard asked = front.voice()->call("ask", "{}", "", kAsks);
  EXPECT_EQ(asked.at("/requestState"), R"("s1")");
}

}  // namespace
}  // namespace enfold::gateway
