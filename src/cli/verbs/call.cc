// SPDX-License-Identifier: Apache-2.0
#include "cli/exit_code.h"
#include "cli/input/input.h"
#include "cli/terminal/call_answer.h"
#include "cli/verbs/tools.h"
#include "cli/verbs/verbs.h"

#include <fmt/core.h>

namespace enfold::cli {
namespace {

struct CallOptions {
  ServerOptions server;
  std::string tool;
  std::string arguments;           ///< JSON, @file or -
  std::vector<std::string> pairs;  ///< key=value
  bool unchecked = false;
  bool as_json = false;
};

void accept(Arguments& arguments, CallOptions& options) {
  arguments.positional("TOOL", options.tool, "Tool to call; without it the tools are listed");
  arguments.positional("JSON", options.arguments,
                       "Its arguments: a JSON object, @FILE, or - for standard input");
  accept_server(arguments, options.server);
  arguments.texts("--arg", "PAIR", options.pairs,
                  "One argument as KEY=VALUE; text, or JSON where the tool expects it");
  arguments.flag("--no-check", options.unchecked,
                 "Send arguments that do not meet the tool's input schema");
  arguments.flag("--json", options.as_json, "The result exactly as the server sent it");
  arguments.footer(
      std::string(kServerHelp) +
      "Arguments are checked against the tool's input schema before they are sent. A call that "
      "only\n"
      "reads, or is safe to repeat, waits and tries again when the server asks for that.\n"
      "Exit code 2 when the tool itself reports a failure.\n\n"
      "Examples:\n"
      "  enfold call --url http://127.0.0.1:8080/mcp\n"
      "  enfold call greet '{\"name\": \"Ada\"}' --url http://127.0.0.1:8080/mcp\n"
      "  enfold call greet --arg name=Ada -- ./my-server --verbose\n"
      "  enfold call greet --arg name=Ada -- enfold wrap --budget 500 -- ./my-server\n"
      "  enfold call search @query.json --json -- npx -y some-server | jq .structuredContent\n"
      "  enfold call --url https://example.org/mcp --header 'Authorization: Bearer TOKEN' whoami");
}

Result<json::Value> read_arguments(const std::string& text) {
  if (text.empty()) return json::parse_own("{}");
  const bool is_file = text == "-" || text.starts_with("@");
  const std::string file = text.starts_with("@") ? text.substr(1) : text;
  Result<json::Buffer> bytes = is_file ? read_all(file, {}) : json::Buffer(text);
  if (!bytes) {
    Error error = bytes.error();
    error.where = display_name(file);
    return tl::unexpected(std::move(error));
  }
  Result<json::Document> document = json::parse(std::move(*bytes));
  if (!document) {
    Error error = document.error();
    error.where =
        fmt::format("{}, {}", is_file ? display_name(file) : "the arguments", error.where);
    if (error.hint.empty()) error.hint = R"(write them like '{"name": "Ada"}', or --arg name=Ada)";
    return tl::unexpected(std::move(error));
  }
  if (!document->root().is_object()) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected a JSON object as arguments, found {}",
                            json::name(document->root().kind())),
                {}, R"(write them like '{"name": "Ada"}')");
  }
  return document->value();
}

// A value stays a string if the tool's schema says so, even if it looks like a number.
bool is_text(json::View schema, const std::string& key) {
  const auto properties = mcp::object_member(schema, "properties");
  const auto property = properties ? properties->find(key) : std::nullopt;
  const auto type = property ? property->find("type") : std::nullopt;
  return type && type->equals("string");
}

Result<json::Value> add_pairs(const json::Value& given, const std::vector<std::string>& pairs,
                              json::View schema) {
  if (pairs.empty()) return given;
  json::Writer writer;
  writer.begin_object();
  for (const json::Member& member : given->members()) {
    const std::string prefix = member.key.string() + "=";
    const bool replaced = std::any_of(pairs.begin(), pairs.end(), [&](const std::string& pair) {
      return pair.starts_with(prefix);
    });
    if (!replaced) writer.key(member.key).value(member.value);
  }
  for (const std::string& pair : pairs) {
    const std::size_t equals = pair.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("expected an argument as KEY=VALUE, found \"{}\"", pair), {},
                  "for example --arg name=Ada");
    }
    const std::string key = pair.substr(0, equals);
    const std::string value = pair.substr(equals + 1);
    const Result<json::Document> parsed = json::parse(std::string_view(value));
    writer.key(key);
    if (parsed && !is_text(schema, key)) {
      writer.value(parsed->root());
    } else {
      writer.string(value);
    }
  }
  writer.end_object();
  return std::move(writer).finish_value();
}

client::ToolEvents events_for(Terminal& terminal) {
  client::ToolEvents events;
  events.on_progress = [&terminal](const mcp::ProgressReport& one) {
    const mcp::Progress& progress = one.progress;
    std::string text = progress.total
                           ? fmt::format("{:g} of {:g}", progress.progress, *progress.total)
                           : fmt::format("{:g}", progress.progress);
    if (progress.message) text += "  " + printable(*progress.message);
    terminal.progress(text);
  };
  events.on_retry = [&terminal](const client::Retry& retry) {
    terminal.end_progress();
    terminal.warn(fmt::format("{}; trying again in {:g} seconds (attempt {})", retry.why,
                              static_cast<double>(retry.after.count()) / 1000, retry.attempt));
  };
  return events;
}

int call(ServerLink& link, const CallOptions& options, const json::Value& given,
         Terminal& terminal) {
  int code = kOk;
  const auto tools = fetch_tools(link, terminal, code);
  if (!tools) return code;
  const auto refuse = [&](const Error& error) {
    terminal.report(error);
    return exit_code_of(error);
  };
  const auto tool = client::choose(*tools, options.tool);
  if (!tool) return refuse(tool.error());
  const json::View schema = (*tool)->tool.input_schema.view();
  const Result<json::Value> arguments = add_pairs(given, options.pairs, schema);
  if (!arguments) return refuse(arguments.error());
  if (!options.unchecked) {
    if (const Status suits = client::check_arguments(**tool, arguments->view()); !suits) {
      Error error = suits.error();
      error.hint = "nothing was sent; --no-check sends them all the same";
      return refuse(error);
    }
  }
  client::ToolRequest request = client::request_for(**tool, *arguments);
  request.wants_progress = true;
  const client::ToolOutcome outcome = link->call(std::move(request), events_for(terminal));
  terminal.end_progress();
  if (!outcome) return report(outcome.error(), terminal);
  if (const Status meets = client::check_answer(**tool, outcome->result.view()); !meets) {
    terminal.warn(meets.error().message);
  }
  if (options.as_json) {
    terminal.out(outcome->result->raw());
    terminal.out("\n");
  } else {
    print_answer(*outcome, terminal);
  }
  return outcome->is_error ? kNegative : kOk;
}

int run(const CallOptions& options, Terminal& terminal) {
  const Result<json::Value> given = read_arguments(options.arguments);
  if (!given) {
    terminal.report(given.error());
    return exit_code_of(given.error());
  }
  int code = kOk;
  const auto link = ServerLink::open(options.server, terminal, code);
  if (!link) return code;
  if (!options.tool.empty()) return call(*link, options, *given, terminal);
  const auto tools = fetch_tools(*link, terminal, code);
  if (tools) print_tools(*tools, link->server(), options.as_json, terminal);
  return code;
}

}  // namespace

Run set_up_call(Arguments& arguments) { return set_up(arguments, accept, run); }

}  // namespace enfold::cli
