// SPDX-License-Identifier: Apache-2.0
#include "tests/mcp/transcript.h"

#include "tests/support/goldens.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace enfold::mcp::testing {
namespace {

using enfold::testing::entries_of;
using enfold::testing::Path;
using enfold::testing::read_file;

json::Value value_at(json::View line, std::string_view key) {
  const auto found = line.find(key);
  return found ? json::Value(*found) : json::Value();
}

std::int64_t number_at(json::View line, std::string_view key) {
  const auto found = line.find(key);
  return found ? found->integer().value_or(0) : 0;
}

bool flag_at(json::View line, std::string_view key) {
  const auto found = line.find(key);
  return found && found->boolean();
}

std::string text_at(json::View line, std::string_view key) {
  return text_member(line, key).value_or("");
}

CallKey call_at(json::View line) { return static_cast<CallKey>(number_at(line, "call")); }

std::optional<CallKey> maybe_call(json::View line) {
  return line.find("call") ? std::optional(call_at(line)) : std::nullopt;
}

json::Buffer message_at(json::View line) {
  // "bytes" is for what is no message.
  const auto bytes = line.find("bytes");
  return json::Buffer(bytes ? bytes->string() : json::to_text(value_at(line, "message").view()));
}

Progress progress_at(json::View line) { return *read_progress(line); }

Outcome outcome_at(json::View line) {
  if (const auto error = line.find("error")) return tl::unexpected(read_error(*error));
  return value_at(line, "result");
}

Reply reply_at(json::View line) {
  if (const auto error = line.find("error")) return read_error(*error);
  if (const auto required = line.find("input_required")) {
    InputRequired out = *read_input_required(*required);
    out.original = {};
    return out;
  }
  if (const auto relayed = line.find("relayed")) return Relayed{json::Value(*relayed)};
  // Both forms of a result of our own must give the same.
  const json::Value result = value_at(line, "result");
  if (result->find("_meta")) return complete(result);
  json::Writer writer;
  writer.value(result);
  return complete(std::move(writer).finish());
}

ListKind list_at(json::View line) {
  const std::string list = text_at(line, "list");
  return list == "tools"     ? ListKind::tools
         : list == "prompts" ? ListKind::prompts
                             : ListKind::resources;
}

class ServerRun {
 public:
  explicit ServerRun(json::View setup) {
    ServerConfig config = fixture_config();
    if (const auto versions = setup.find("versions")) {
      config.versions.clear();
      for (const json::View version : versions->items()) {
        config.versions.push_back(version.string());
      }
    }
    if (const auto capabilities = setup.find("capabilities")) {
      config.capabilities = Capabilities(json::Value(*capabilities));
    }
    config.relays_unknown = flag_at(setup, "relays_unknown");
    config.ask_patience = Time(60'000);
    config.max_rounds = 3;
    config.max_open_calls = 4;
    peer_ = std::make_unique<ServerPeer>(std::make_shared<const ServerConfig>(std::move(config)));
  }

  ServerActions act(const std::string& what, json::View line) {
    if (what == "receive") return peer_->receive_bytes(message_at(line));
    if (what == "reply") return peer_->reply(call_at(line), reply_at(line), now_);
    if (what == "progress") return peer_->progress(call_at(line), progress_at(line));
    if (what == "log") return peer_->log(maybe_call(line), *read_log_message(line));
    if (what == "notify") {
      return peer_->notify(maybe_call(line), text_at(line, "method"),
                           value_at(line, "params").view());
    }
    if (what == "changed") return peer_->list_changed(list_at(line));
    if (what == "updated") return peer_->resource_updated(text_at(line, "uri"));
    if (what == "ask") {
      auto asked = peer_->ask(maybe_call(line),
                              {"k", text_at(line, "method"), value_at(line, "params")}, now_);
      if (!asked) {
        complaint_ = mapping(asked.error().code).name;
        return {};
      }
      return std::move(asked->actions);
    }
    if (what == "withdraw") {
      return peer_->withdraw(static_cast<AskKey>(number_at(line, "ask")), text_at(line, "reason"));
    }
    if (what == "stream_closed") return peer_->stream_closed(call_at(line));
    if (what == "time") return peer_->tick(now_ = Time(number_at(line, "ms")));
    if (what == "end") return peer_->end();
    if (what == "closed") return peer_->closed(text_at(line, "reason"));
    complaint_ = "no such deed: " + what;
    return {};
  }
  std::string complaint_;

 private:
  std::unique_ptr<ServerPeer> peer_;
  Time now_{0};
};

class ClientRun {
 public:
  explicit ClientRun(json::View setup) {
    ClientConfig config;
    config.info = json::parse_own(R"({"name":"driver","version":"1"})");
    config.capabilities = Capabilities(value_at(setup, "capabilities"));
    config.over_http = flag_at(setup, "http");
    const std::string eras = text_at(setup, "eras");
    if (eras == "sessions") config.eras = ClientConfig::Eras::sessions;
    if (eras == "stateless") config.eras = ClientConfig::Eras::stateless;
    config.max_rounds = 3;
    config.relays_unknown = flag_at(setup, "relays_unknown");
    peer_ = std::make_unique<ClientPeer>(std::move(config));
  }

  ClientActions act(const std::string& what, json::View line) {
    if (what == "start") return peer_->start(now_);
    if (what == "receive") {
      return peer_->receive_bytes(message_at(line), now_, maybe_call(line));
    }
    if (what == "call") return call(line);
    if (what == "cancel") return peer_->cancel(call_at(line), text_at(line, "reason"));
    if (what == "notify") {
      return peer_->notify(text_at(line, "method"), value_at(line, "params").view());
    }
    if (what == "answer") {
      return peer_->answer(static_cast<AskKey>(number_at(line, "ask")), outcome_at(line), now_);
    }
    if (what == "session") {
      peer_->session_opened(text_at(line, "id"));
      return {};
    }
    if (what == "refused") {
      const auto body = line.find("message");
      return peer_->refused(maybe_call(line), static_cast<int>(number_at(line, "status")),
                            body ? json::to_text(*body) : "", now_);
    }
    if (what == "stream_ended") {
      const auto retry = number_at(line, "retry");
      return peer_->stream_ended(
          call_at(line), text_at(line, "last_event_id"),
          retry ? std::optional(std::chrono::milliseconds(retry)) : std::nullopt, now_);
    }
    if (what == "closed") return peer_->closed("gone");
    if (what == "time") return peer_->tick(now_ = Time(number_at(line, "ms")));
    complaint_ = "no such deed: " + what;
    return {};
  }
  std::string complaint_;

 private:
  ClientActions call(json::View line) {
    CallOptions options;
    options.method = text_at(line, "method");
    options.params = value_at(line, "params");
    options.wants_progress = flag_at(line, "wants_progress");
    options.hands_over_input = flag_at(line, "hands_over_input");
    if (line.find("patience")) options.patience = Time(number_at(line, "patience"));
    if (line.find("longest")) options.longest = Time(number_at(line, "longest"));
    options.log_level = log_level_from_name(text_at(line, "log_level"));
    if (const auto schema = line.find("input_schema")) {
      options.param_headers = *read_param_headers(*schema);
    }
    if (const auto other = line.find("on_behalf_of")) {
      auto caller = std::make_shared<Caller>();
      caller->client_info = json::Value(*other);
      caller->capabilities = Capabilities(value_at(*other, "capabilities"));
      options.on_behalf_of = std::move(caller);
    }
    auto begun = peer_->call(std::move(options), now_);
    if (!begun) {
      complaint_ = mapping(begun.error().code).name;
      return {};
    }
    return std::move(begun->actions);
  }

  std::unique_ptr<ClientPeer> peer_;
  Time now_{0};
};

class Run {
 public:
  explicit Run(json::View setup) {
    if (text_at(setup, "peer") == "client") {
      client_.emplace(setup);
    } else {
      server_.emplace(setup);
    }
  }

  void act(const std::string& what, json::View line) {
    if (server_) {
      for (const ServerAction& action : server_->act(what, line)) seen_.push_back(describe(action));
      take(server_->complaint_);
    } else {
      for (const ClientAction& action : client_->act(what, line)) seen_.push_back(describe(action));
      take(client_->complaint_);
    }
  }

  std::deque<std::string> seen_;

 private:
  // A call that is refused at once is seen as {"see":"complaint"}.
  void take(std::string& complaint) {
    if (complaint.empty()) return;
    json::Writer writer;
    writer.begin_object().member("see", "complaint").member("error", complaint).end_object();
    seen_.push_back(std::move(writer).finish().str());
    complaint.clear();
  }
  std::optional<ServerRun> server_;
  std::optional<ClientRun> client_;
};

}  // namespace

ServerConfig fixture_config() {
  ServerConfig config;
  config.info =
      json::parse_own(R"({"name":"fixture-server","version":"1.0.0","title":"Dual-era fixture"})");
  config.capabilities = Capabilities(json::parse_own(
      R"({"tools":{"listChanged":true},"prompts":{"listChanged":true},)"
      R"("resources":{"subscribe":true,"listChanged":true},"logging":{},"completions":{}})"));
  config.instructions = "Fixture server for gateway tests.";
  return config;
}

std::vector<std::string> run_transcript(const std::string& text) {
  std::vector<std::string> complaints;
  std::istringstream lines(text);
  std::optional<Run> run;
  std::size_t number = 0;
  const auto complain = [&](const std::string& what) {
    complaints.push_back("line " + std::to_string(number) + ": " + what);
  };
  const auto nothing_left = [&] {
    for (const std::string& left : run->seen_) complain("not in the transcript: " + left);
    run->seen_.clear();
  };
  for (std::string source; std::getline(lines, source);) {
    ++number;
    if (source.empty()) continue;
    const auto document = json::parse(source);
    if (!document) {
      complain(document.error().message);
      break;
    }
    const json::View line = document->root();
    if (!run) {
      run.emplace(line);
    } else if (line.find("do")) {
      nothing_left();
      run->act(text_at(line, "do"), line);
    } else if (run->seen_.empty()) {
      complain("expected " + source + ", found nothing");
    } else {
      const json::Value found = json::parse_own(run->seen_.front());
      run->seen_.pop_front();
      if (!json::equal(line, found.view())) {
        complain("expected " + source + "\n     found " + json::to_text(found.view()));
      }
    }
  }
  if (!run) return {"an empty transcript"};
  nothing_left();
  return complaints;
}

// With what was seen in place of what was expected, for ENFOLD_UPDATE_GOLDEN.
std::string rewritten(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  std::optional<Run> run;
  for (std::string source; std::getline(lines, source);) {
    const auto document = json::parse(source);
    if (!document || document->root().find("see")) continue;
    out += source + "\n";
    if (!run) {
      run.emplace(document->root());
      continue;
    }
    run->act(text_at(document->root(), "do"), document->root());
    for (const std::string& seen : run->seen_) out += seen + "\n";
    run->seen_.clear();
  }
  return out;
}

TEST(Transcript, every_file_holds) {
  for (const Path& file : entries_of(Path(ENFOLD_SOURCE_DIR) / "tests/mcp/transcripts")) {
    if (std::getenv("ENFOLD_UPDATE_GOLDEN") != nullptr) {
      const std::string text = rewritten(read_file(file));
      std::ofstream(file, std::ios::binary) << text;
    }
    for (const std::string& complaint : run_transcript(read_file(file))) {
      ADD_FAILURE() << file.filename().string() << " " << complaint;
    }
  }
}

TEST(Transcript, a_wrong_line_and_a_missing_line_are_noticed) {
  const std::string head = R"({"peer":"server"})"
                           "\n";
  const std::string ping = R"({"do":"receive","message":{"jsonrpc":"2.0","id":1,"method":"ping"}})"
                           "\n";
  EXPECT_EQ(run_transcript(head + ping).size(), 1U);
  EXPECT_EQ(run_transcript(head + ping + R"({"see":"send","message":{}})").size(), 1U);
  EXPECT_EQ(run_transcript(head + R"({"see":"send"})").size(), 1U);
}

}  // namespace enfold::mcp::testing
