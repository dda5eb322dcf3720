// SPDX-License-Identifier: Apache-2.0
#include "cli/input/input.h"
#include "cli/terminal/next_page.h"
#include "cli/terminal/terminal.h"
#include "cli/terminal/way_back.h"
#include "cli/verbs/tools.h"
#include "cli/verbs/verbs.h"
#include "enfold/client/tools.h"
#include "enfold/contract/cursors/continuation.h"
#include "enfold/json/document.h"
#include "enfold/mcp/wire/message.h"
#include "enfold/tools/call/sent_arguments.h"
#include "enfold/tools/fetch_tool.h"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <set>

namespace enfold::cli {
namespace {

// Ends the text with a line end if it has none.
void print_lines(std::string_view text, Terminal& terminal) {
  const std::string shown = printable(text);
  terminal.out(shown);
  if (!shown.ends_with('\n')) terminal.out("\n");
}

void print_value(json::View value, Terminal& terminal) {
  if (value.is_string()) {
    print_lines(value.string(), terminal);
  } else {
    print_lines(json::pretty(value), terminal);
  }
}

// Describes a block that a terminal cannot show: "[image image/png, 1024 bytes]".
std::string describe_block(json::View block) {
  const std::string type = json::string_member(block, "type").value_or("");
  if (type == "resource_link") {
    return fmt::format("[link {} {}]", json::string_member(block, "name").value_or(""),
                       json::string_member(block, "uri").value_or(""));
  }
  // The object that has the data: the resource of a resource block, else the block itself.
  const json::View inside = mcp::object_member(block, "resource").value_or(block);
  const std::string base64 =
      json::string_member(inside, inside.find("blob") ? "blob" : "data").value_or("");
  std::string out = fmt::format("[{}", type.empty() ? "block" : type);
  for (const std::string_view key : {"uri", "mimeType"}) {
    if (const std::string text = json::string_member(inside, key).value_or(""); !text.empty())
      out += " " + text;
  }
  const std::size_t digits = base64.find_last_not_of('=') + 1;  // four digits encode three bytes
  if (digits > 0) out += fmt::format(", {} bytes", digits * 3 / 4);
  return out + "]";
}

void print_block(json::View block, Terminal& terminal) {
  const json::View inside = mcp::object_member(block, "resource").value_or(block);
  if (const auto text = json::string_member(inside, "text")) {
    print_lines(*text, terminal);
  } else {
    terminal.out(terminal.styled(printable(describe_block(block)), Style::dim) + "\n");
  }
}

void report_failure(const model::Failure& failure, Terminal& terminal) {
  Error error;
  error.message = failure.message.empty() ? "the tool reports a failure" : failure.message;
  if (!failure.code.empty()) error.message += fmt::format(" ({})", failure.code);
  std::vector<std::string> advice = failure.remediation;
  const auto has_retry_after = [&](const std::string& one) {
    return one.find(failure.retry_after->text) != std::string::npos;
  };
  if (failure.retry_after && std::ranges::none_of(advice, has_retry_after)) {
    advice.push_back(fmt::format("try again after {} seconds", failure.retry_after->text));
  }
  error.hint = fmt::format("{}", fmt::join(advice, "; "));
  terminal.report(error);
}

// Whether the text shows all of the structured content: as its JSON, or as its only member.
bool shows_all(const std::string& text, json::View structured) {
  const Result<json::Document> parsed = json::parse(std::string_view(text));
  const auto shows = [&](json::View value) {
    return value.is_string() ? value.equals(text) : parsed && json::equal(parsed->root(), value);
  };
  if (shows(structured)) return true;
  return structured.is_object() && structured.size() == 1 &&
         shows((*structured.members().begin()).value);
}

// Prints the blocks of a result without an envelope, and its structured content unless a block
// has it.
void print_plain(const client::ToolAnswer& answer, Terminal& terminal) {
  const auto structured = answer.result->find("structuredContent");
  bool is_shown = !structured;  // nothing of the structured content is left to print
  if (const auto content = answer.result->find("content")) {
    for (const json::View block : content->items()) {
      print_block(block, terminal);
      const auto text = is_shown ? std::nullopt : json::string_member(block, "text");
      is_shown = is_shown || (text && shows_all(*text, *structured));
    }
  }
  if (!is_shown) print_value(*structured, terminal);
}

void print_enveloped(const model::Response& response, Terminal& terminal) {
  if (response.payload && !response.payload->view().is_null()) {
    print_value(response.payload->view(), terminal);
  } else if (!response.message.empty()) {
    print_lines(response.message, terminal);
  }
  for (const json::Value& block : response.blocks) print_block(block.view(), terminal);
}

bool reports_failure(const client::ToolAnswer& answer) {
  return answer.is_error || answer.reading.response.failure;
}

void print_answer(const client::ToolAnswer& answer, Terminal& terminal) {
  const model::Response& response = answer.reading.response;
  const bool has_envelope = answer.reading.origin.contract != "mcp";
  if (response.failure) {
    // Before the failure itself, this prints the payload of an envelope, if that is a list or
    // object with content, and a result without an envelope that is a failure by its text, not by
    // isError.
    if (has_envelope && response.payload && response.payload->view().size() > 0) {
      print_value(response.payload->view(), terminal);
    } else if (!has_envelope && !answer.is_error) {
      print_plain(answer, terminal);
    }
    terminal.flush();
    report_failure(*response.failure, terminal);
  } else if (has_envelope) {
    print_enveloped(response, terminal);
  } else {
    print_plain(answer, terminal);
  }
  terminal.flush();
  for (const model::Warning& warning : response.warnings) {
    terminal.warn(warning.code.empty() ? warning.message
                                       : fmt::format("{} ({})", warning.message, warning.code));
  }
  // Often only an upgrade hint says that the server withheld data.
  for (const model::UpgradeHint& hint : response.upgrade_hints) {
    terminal.err(
        printable(fmt::format("more at tier {}: {} ({})\n", hint.tier, hint.reason, hint.feature)));
  }
}

// Prints how to get what the answer does not have: the next page, and the original of a cut answer.
void print_rest(const model::Response& response, const WayBack& way_back, Terminal& terminal) {
  const auto print_line = [&](const std::string& line) {
    if (!line.empty()) terminal.err(printable(line) + "\n");
  };
  const auto& cut = response.reduction;
  const std::string handle = cut && !cut->archive.empty() ? cut->archive.front().handle : "";
  const bool has_more = response.page && response.page->has_more.value_or(false);
  const std::string cursor = has_more ? response.page->cursor.value_or("") : "";
  if (contract::is_continuation(cursor)) {
    print_line(way_back.to_next_page(cursor, handle));
  } else if (has_more && (!cut || !next_page(*response.page).empty())) {
    print_line("more follows: call the tool again" + next_page(*response.page));
  }
  if (!handle.empty()) {
    print_line(way_back.to_original(handle));
  } else if (cut && !contract::is_continuation(cursor)) {
    print_line(fmt::format("the answer is {}, and names no original", model::name(cut->level)));
  }
}

struct CallOptions {
  ServerOptions server;
  std::string tool;                ///< empty: list the tools
  std::string arguments;           ///< JSON, @FILE, or - for standard input; empty: none
  std::vector<std::string> pairs;  ///< KEY=VALUE; they override `arguments`
  bool unchecked = false;          ///< send arguments even if they do not meet the input schema
  bool as_json = false;            ///< print the result as the server sent it
};

void declare_call_options(Arguments& arguments, CallOptions& options) {
  arguments.positional("TOOL", options.tool, "Tool to call; without it the tools are listed");
  arguments.positional("JSON", options.arguments,
                       "Its arguments: a JSON object, @FILE, or - for standard input");
  declare_server_options(arguments, options.server);
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

// `text`: JSON, @FILE, or - for standard input; {} if it is empty.
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

// Whether the input schema says that the argument is a string: then its value is not read as JSON,
// even if it looks like a number.
bool takes_string(json::View schema, const std::string& key) {
  const auto properties = mcp::object_member(schema, "properties");
  const auto property = properties ? properties->find(key) : std::nullopt;
  const auto type = property ? property->find("type") : std::nullopt;
  return type && type->equals("string");
}

// The arguments of the JSON object with the arguments of --arg (`pairs`), which take precedence.
Result<json::Value> add_pairs(const json::Value& json_arguments,
                              const std::vector<std::string>& pairs, json::View schema) {
  if (pairs.empty()) return json_arguments;
  json::Writer writer;
  writer.begin_object();
  for (const json::Member& member : json_arguments->members()) {
    const std::string prefix = member.key.string() + "=";
    const bool replaced = std::any_of(pairs.begin(), pairs.end(), [&](const std::string& pair) {
      return pair.starts_with(prefix);
    });
    if (!replaced) writer.key(member.key).value(member.value);
  }
  std::set<std::string> keys;
  for (const std::string& pair : pairs) {
    const std::size_t equals = pair.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("expected an argument as KEY=VALUE, found \"{}\"", pair), {},
                  "for example --arg name=Ada");
    }
    const std::string key = pair.substr(0, equals);
    if (!keys.insert(key).second) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("expected each argument once, found {} twice", json::quote(key)), {},
                  fmt::format("write a list as JSON: --arg '{}=[1, 2]'", key));
    }
    const std::string value = pair.substr(equals + 1);
    const Result<json::Document> parsed = json::parse(std::string_view(value));
    writer.key(key);
    if (parsed && !takes_string(schema, key)) {
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

// Returns the exit code.
int call(ServerLink& link, const CallOptions& options, const json::Value& json_arguments,
         Terminal& terminal) {
  int code = kOk;
  const auto tools = fetch_tools(link, terminal, code);
  if (!tools) return code;
  const auto tool = client::choose(*tools, options.tool);
  if (!tool) return terminal.report(tool.error());
  const json::View schema = (*tool)->tool.input_schema.view();
  Result<json::Value> arguments = add_pairs(json_arguments, options.pairs, schema);
  if (!arguments) return terminal.report(arguments.error());
  if (!options.unchecked && !client::check_arguments(**tool, arguments->view())) {
    // Servers may take null for an argument that may be left out, but few schemas say so.
    arguments = tools::without_nulls(*arguments, schema);
    if (const Status valid = client::check_arguments(**tool, arguments->view()); !valid) {
      Error error = valid.error();
      error.hint = "nothing was sent; --no-check sends them all the same";
      return terminal.report(error);
    }
  }
  client::ToolRequest request = client::request_for(**tool, *arguments);
  request.wants_progress = true;
  const client::ToolOutcome outcome = link->call(std::move(request), events_for(terminal));
  terminal.end_progress();
  if (!outcome) return terminal.report(outcome.error().error);
  if (const Status valid = client::check_answer(**tool, outcome->result.view()); !valid) {
    terminal.warn(valid.error().message);
  }
  if (options.as_json) {
    terminal.out_line(outcome->result->raw());
  } else {
    print_answer(*outcome, terminal);
    const WayBack way_back(options.server, tools->find(tools::kFetchTool) != nullptr);
    print_rest(outcome->reading.response, way_back, terminal);
  }
  return reports_failure(*outcome) ? kNegative : kOk;
}

int run_call(const CallOptions& options, Terminal& terminal) {
  const Result<json::Value> json_arguments = read_arguments(options.arguments);
  if (!json_arguments) return terminal.report(json_arguments.error());
  int code = kOk;
  const auto link = ServerLink::open(options.server, terminal, code);
  if (!link) return code;
  if (!options.tool.empty()) return call(*link, options, *json_arguments, terminal);
  const auto tools = fetch_tools(*link, terminal, code);
  if (tools) print_tools(*tools, link->server(), options.as_json, terminal);
  return code;
}

}  // namespace

Run set_up_call(Arguments& arguments) { return set_up(arguments, declare_call_options, run_call); }

}  // namespace enfold::cli
