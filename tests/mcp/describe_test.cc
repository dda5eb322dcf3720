// SPDX-License-Identifier: Apache-2.0
// Says actions as JSON, one object each, for transcripts.
#include "enfold/json/document.h"
#include "tests/mcp/transcript.h"

namespace enfold::mcp::testing {
namespace {

using Fill = std::function<void(json::Writer&)>;

std::string seen(std::string_view what, const Fill& fill) {
  json::Writer writer;
  writer.begin_object().member("see", what);
  fill(writer);
  writer.end_object();
  return std::move(writer).finish().str();
}

std::int64_t number(CallKey key) { return static_cast<std::int64_t>(key); }
std::int64_t number(ServerRequestKey key) { return static_cast<std::int64_t>(key); }

void message(json::Writer& writer, const json::Output& output) {
  writer.member("message", json::parse_own(output.str()));
}

void call_of(json::Writer& writer, const std::optional<CallKey>& call) {
  if (call) writer.member("call", number(*call));
}

void error_of(json::Writer& writer, const Error& error) {
  writer.member("error", mapping(error.code).name);
}

void input_of(json::Writer& writer, const InputRequest& request) {
  writer.member("method", request.method);
  if (!request.params->is_null()) writer.member("params", request.params);
}

struct Describe {
  // --- server
  std::string operator()(const Send& send) const {
    return seen("send", [&](json::Writer& writer) {
      call_of(writer, send.about);
      if (send.last) writer.member("last", true);
      if (send.status != 200) writer.member("status", std::int64_t{send.status});
      message(writer, send.message);
    });
  }
  std::string operator()(const Call& call) const {
    return seen("call", [&](json::Writer& writer) {
      writer.member("call", number(call.key)).member("method", call.method_name);
      const bool stateless = call.caller->era == Era::stateless;
      writer.member("era", stateless ? "stateless" : "sessions");
      if (const auto* tool = std::get_if<ToolCall>(&call.params)) {
        writer.member("tool", tool->name);
        if (!tool->arguments->is_null()) writer.member("arguments", tool->arguments);
      }
      if (const auto* list = std::get_if<ListRequest>(&call.params); list && list->cursor) {
        writer.member("cursor", *list->cursor);
      }
      if (const auto* read = std::get_if<ResourceRead>(&call.params)) {
        writer.member("uri", read->uri);
      }
      if (call.progress_token) {
        writer.key("token");
        write_id(writer, *call.progress_token);
      }
      write_input_responses(writer, call.inputs);
    });
  }
  std::string operator()(const Cancellation& cancelled) const {
    return seen("cancelled", [&](json::Writer& writer) {
      writer.member("call", number(cancelled.call)).member("reason", cancelled.reason);
    });
  }
  std::string operator()(const SessionStart& started) const {
    return seen("started",
                [&](json::Writer& writer) { writer.member("version", started.caller->version); });
  }
  std::string operator()(const SessionReady& opened) const {
    return seen("opened", [&](json::Writer& writer) {
      writer.member("client", opened.caller->client_name())
          .member("version", opened.caller->version);
    });
  }
  std::string operator()(const LogLevelChange& set) const {
    return seen("level", [&](json::Writer& writer) { writer.member("level", name(set.level)); });
  }
  std::string operator()(const SubscriptionOpened& listening) const {
    return seen("listening", [&](json::Writer& writer) {
      writer.member("call", number(listening.call)).key("notifications");
      write_filter(writer, listening.filter);
    });
  }
  std::string operator()(const ClientResponse& answered) const {
    return seen("answered", [&](json::Writer& writer) {
      writer.member("ask", number(answered.request));
      if (answered.outcome) {
        writer.member("result", *answered.outcome);
      } else {
        writer.member("code", answered.outcome.error().code);
      }
    });
  }
  std::string operator()(const ClientNotification& noticed) const {
    return seen("noticed", [&](json::Writer& writer) {
      writer.member("method", noticed.notification.method);
    });
  }
  // --- client
  std::string operator()(const Transmit& transmit) const {
    return seen("transmit", [&](json::Writer& writer) {
      call_of(writer, transmit.call);
      if (!transmit.headers.empty()) {
        writer.key("headers").begin_object();
        for (const Header& one : transmit.headers) writer.member(one.name, one.value);
        writer.end_object();
      }
      message(writer, transmit.message);
    });
  }
  std::string operator()(const Ready& ready) const {
    return seen("ready", [&](json::Writer& writer) {
      writer.member("version", ready.server.version);
      writer.member("server", json::string_member(ready.server.info.view(), "name").value_or(""));
    });
  }
  std::string operator()(const Broken& broken) const {
    return seen("broken", [&](json::Writer& writer) { error_of(writer, broken.error); });
  }
  std::string operator()(const ResultReport& finished) const {
    return seen("finished", [&](json::Writer& writer) {
      writer.member("call", number(finished.call)).member("result", finished.result);
    });
  }
  std::string operator()(const ErrorReport& refused) const {
    return seen("refused", [&](json::Writer& writer) {
      writer.member("call", number(refused.call)).member("code", refused.error.code);
    });
  }
  std::string operator()(const NoAnswerReport& lost) const {
    return seen("lost", [&](json::Writer& writer) {
      writer.member("call", number(lost.call));
      error_of(writer, lost.error);
    });
  }
  std::string operator()(const ProgressReport& progressed) const {
    return seen("progressed", [&](json::Writer& writer) {
      writer.member("call", number(progressed.call)).key("progress");
      writer.real(progressed.progress.progress);
    });
  }
  std::string operator()(const LogReport& logged) const {
    return seen("logged", [&](json::Writer& writer) {
      writer.member("level", name(logged.message.level)).member("data", logged.message.data);
    });
  }
  std::string operator()(const ListChanged& changed) const {
    return seen("changed",
                [&](json::Writer& writer) { writer.member("list", capability_of(changed.kind)); });
  }
  std::string operator()(const ResourceUpdated& updated) const {
    return seen("updated", [&](json::Writer& writer) { writer.member("uri", updated.uri); });
  }
  std::string operator()(const SubscriptionAcknowledged& acknowledged) const {
    return seen("acknowledged", [&](json::Writer& writer) {
      writer.member("call", number(acknowledged.call)).key("notifications");
      write_filter(writer, acknowledged.filter);
    });
  }
  std::string operator()(const ServerRequest& asked) const {
    return seen("asked", [&](json::Writer& writer) {
      writer.member("ask", number(asked.key));
      call_of(writer, asked.call);
      input_of(writer, asked.request);
    });
  }
  std::string operator()(const ServerRequestWithdrawn& withdrawn) const {
    return seen("withdrawn",
                [&](json::Writer& writer) { writer.member("ask", number(withdrawn.key)); });
  }
  std::string operator()(const CloseStream& close) const {
    return seen("close_stream",
                [&](json::Writer& writer) { writer.member("call", number(close.call)); });
  }
  std::string operator()(const Resume& resume) const {
    return seen("resume", [&](json::Writer& writer) {
      writer.member("call", number(resume.call)).member("last_event_id", resume.last_event_id);
      writer.member("at", std::int64_t{resume.at.count()});
    });
  }
  std::string operator()(const Notification& notification) const {
    return seen("notification",
                [&](json::Writer& writer) { writer.member("method", notification.method); });
  }
};

}  // namespace

std::string describe(const ServerAction& action) { return std::visit(Describe{}, action); }
std::string describe(const ClientAction& action) { return std::visit(Describe{}, action); }

}  // namespace enfold::mcp::testing
