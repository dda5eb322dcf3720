// SPDX-License-Identifier: Apache-2.0
// `enfold explain`: tells a user what an answer is, whether it succeeded, what is wrong with it and
// what to do next.
#include "cli/input/input.h"
#include "cli/terminal/next_page.h"
#include "cli/terminal/picture.h"
#include "cli/terminal/shell_words.h"
#include "cli/terminal/terminal.h"
#include "cli/verbs/verbs.h"
#include "enfold/answer/fit/measure.h"
#include "enfold/budget/text/form.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/model/canonical.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

namespace enfold::cli {
namespace {

struct ExplainOptions {
  InputOptions input;
  bool as_json = false;
  std::string html;  ///< write a picture to this file; empty: none
};

constexpr std::size_t kTextColumn = 10;  // where Terminal::out_row begins the text, from 0

struct Explanation {
  answer::ReadAnswer answer;
  contract::ShapeStatement shape;
  std::size_t bytes = 0;              ///< of the input
  std::vector<std::string> problems;  ///< what is wrong with the answer
  std::vector<std::string> notes;     ///< worth knowing, but nothing is wrong
  std::vector<std::string> next_steps;
};

std::string what_it_is(const answer::ReadAnswer& answer) {
  const contract::Id from = answer.from;
  const std::string& origin = answer.reading.origin.contract;
  if (from == contract::Id::text) return "text without a contract";
  if (from == contract::Id::json) return "JSON without a contract";
  if (from != contract::Id::mcp) return fmt::format("an answer in {}", contract::name(from));
  if (answer.source->find("jsonrpc") && answer.source->find("error")) return "a JSON-RPC error";
  if (origin != "mcp") return fmt::format("an MCP result that carries {}", origin);
  return "an MCP tool result without a contract";
}

std::string payload_summary(const model::Response& response) {
  if (!response.payload) return "none";
  const json::View payload = response.payload->view();
  switch (payload.kind()) {
    case json::Kind::array: return fmt::format("a list of {}", counted(payload.size(), "item"));
    case json::Kind::string: {
      const std::string text = payload.string();
      return fmt::format("text of {} bytes, form {}", text.size(),
                         budget::text::name(budget::text::read_form(text).form));
    }
    case json::Kind::object: break;
    case json::Kind::null: return "null";
    default: return fmt::format("the {} {}", json::name(payload.kind()), payload.raw());
  }
  constexpr std::size_t max_shown = 6;
  std::string members;
  std::size_t shown = 0;
  for (const json::Member& member : payload.members()) {
    if (++shown > max_shown) break;
    members += (members.empty() ? "" : ", ") + member.key.string();
    if (member.value.is_array()) members += fmt::format("[{}]", member.value.size());
  }
  if (payload.size() > max_shown) members += ", …";
  return fmt::format("an object with {}: {}", counted(payload.size(), "member"), members);
}

std::string page_summary(const contract::ShapeStatement& shape) {
  const model::Page& page = *shape.page;
  std::string text = "items";
  if (page.returned) text = page.returned->text + (page.returned->text == "1" ? " item" : " items");
  if (page.total) text += fmt::format(" of {}", page.total->text);
  if (!page.has_more) return text + ", not known whether more follow";
  text += *page.has_more ? ", more follow" : ", the last page";
  return shape.page_reason.empty() ? text : fmt::format("{} – {}", text, shape.page_reason);
}

std::string dropped_summary(const model::Reduction& reduction) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, reduction.dropped_ids.size()); ++i) {
    text += (i == 0 ? "" : ", ") + reduction.dropped_ids[i];
  }
  if (reduction.dropped_ids.size() > most) {
    text += fmt::format(" and {} more", reduction.dropped_ids.size() - most);
  }
  if (!text.empty()) return text;
  if (reduction.level > model::Fidelity::partial) return "the whole payload";
  const bool is_shortened = !reduction.briefed.empty() || !reduction.clipped.empty();
  return is_shortened ? "no items; texts or members were shortened" : "parts that are not named";
}

// Adds violations of the MCP schema to the problems. Those of an envelope are warnings of the
// answer already: reading the envelope has added them.
void find_violations(Explanation& explanation) {
  const contract::Id from = explanation.answer.from;
  if (from != contract::Id::mcp) return;
  const auto validation = cli::validate(from, explanation.answer.source.view(), /*limits=*/{},
                                        /*max_violations=*/5);
  if (!validation) return;
  for (const schema::Violation& violation : validation->violations) {
    explanation.problems.push_back(fmt::format(
        "{}: expected {}, found {}", violation.instance.empty() ? "(root)" : violation.instance,
        violation.expected, violation.found));
  }
}

// `memory` and response-v1 are flat: the members of the payload stand beside those of the envelope.
// The shape is that of the object with both, read as plain JSON.
contract::ShapeStatement shape_of(const contract::Reading& reading) {
  const auto from = contract::from_name(reading.origin.contract);
  const bool is_flat = from == contract::Id::memory || from == contract::Id::response_v1;
  if (!is_flat || reading.response.failure) return contract::shape_of(reading.response);
  const auto data = contract::read(contract::Id::json, reading.envelope.view(),
                                   {.tool = reading.response.tool.id, .limits = {}});
  return contract::shape_of(data ? data->response : reading.response);
}

std::string retry_advice(const model::Failure& failure) {
  if (failure.retry_after)
    return fmt::format("Try again after {} seconds", failure.retry_after->text);
  switch (contract::traits(failure.kind).retry) {
    case contract::Retry::no: return "Do not repeat the same call";
    case contract::Retry::after_check: return "Retry only after a check";
    case contract::Retry::after_delay: return "Try again after a delay";
    case contract::Retry::with_backoff: break;
  }
  return "Try again with backoff";
}

// The name of a file as a word of a command, which no option begins with.
std::string word_for(const std::string& file) {
  return shell_quoted(file.starts_with('-') ? "./" + file : file);
}

void find_next_steps(Explanation& explanation, const std::string& file) {
  const model::Response& response = explanation.answer.reading.response;
  auto& steps = explanation.next_steps;
  if (response.failure) {
    steps = response.failure->remediation;
    if (steps.empty()) steps.push_back(contract::remediation_for(*response.failure));
    steps.push_back(retry_advice(*response.failure));
  }
  const auto& page = explanation.shape.page;
  if (page && page->has_more.value_or(false)) {
    steps.push_back(fmt::format("More items follow: call the tool again{}", next_page(*page)));
  }
  if (response.reduction) {
    const auto& archive = response.reduction->archive;
    const model::Fidelity fidelity = response.reduction->level;
    steps.push_back(archive.empty()
                        ? fmt::format("The answer is {}, and its original was not archived",
                                      model::name(fidelity))
                        : fmt::format("The answer is {}; open the original: enfold fetch {}",
                                      model::name(fidelity), archive[0].handle));
  }
  for (const model::UpgradeHint& hint : response.upgrade_hints) {
    steps.push_back(fmt::format("{} needs tier {}: {}", hint.feature, hint.tier, hint.reason));
  }
  // mcp, json and text are the last of contract::Id. An MCP result with an envelope has the origin
  // of that envelope.
  const bool is_without_contract =
      explanation.answer.from >= contract::Id::mcp &&
      explanation.answer.reading.origin.contract == contract::name(explanation.answer.from);
  if (is_without_contract) {
    steps.push_back(fmt::format("Put it into a contract: enfold convert --to response-v2{}{}",
                                explanation.answer.from == contract::Id::text ? " --from text" : "",
                                file == "-" ? "" : " " + word_for(file)));
  }
}

Result<Explanation> explain(const std::string& file, const InputOptions& options) {
  ENFOLD_TRY(json::Buffer bytes, read_all(file, options.limits));
  Explanation explanation;
  explanation.bytes = bytes.size();
  ENFOLD_TRY(Answer answer, read_answer(std::move(bytes), options, settings_of(options)));
  explanation.answer = std::move(answer.parsed);
  find_violations(explanation);
  explanation.shape = shape_of(explanation.answer.reading);
  for (const model::Warning& warning : explanation.answer.reading.response.warnings) {
    // The answer contradicts its contract, its schema or itself, or is JSON that --strict refuses,
    // such as an object with very many members.
    constexpr std::array<std::string_view, 6> problem_codes{
        "CONTRACT_VIOLATION", "CONTRADICTORY_OUTCOME", "DUPLICATE_KEYS",
        "LONE_SURROGATE",     "SCHEMA_MISMATCH",       "WIDE_OBJECT"};
    const bool is_problem = std::ranges::find(problem_codes, warning.code) != problem_codes.end();
    (is_problem ? explanation.problems : explanation.notes).push_back(warning.message);
  }
  find_next_steps(explanation, file);
  return explanation;
}

// Untrusted text for the terminal; its lines after the first are indented by `columns`.
std::string indented(std::string_view text, std::size_t columns) {
  std::string out;
  for (const char c : printable(text)) {
    out += c;
    if (c == '\n') out.append(columns, ' ');
  }
  return out;
}

void print_list(Terminal& terminal, std::string_view title, const std::vector<std::string>& lines,
                Style style) {
  if (lines.empty()) return;
  terminal.out(terminal.styled(fmt::format("{}\n", title), Style::bold));
  for (const std::string& line : lines) {
    terminal.out(
        fmt::format("  {} {}\n", terminal.styled("•", style), indented(line, /*columns=*/4)));
  }
}

void print_text(const std::string& file, const Explanation& explanation, Terminal& terminal) {
  const answer::ReadAnswer& answer = explanation.answer;
  const model::Response& response = answer.reading.response;
  const auto row = [&](std::string_view label, std::string_view text) {
    terminal.out_row(label, indented(text, kTextColumn));
  };
  row("answer",
      fmt::format("{} ({} bytes, {})", what_it_is(answer), explanation.bytes, display_name(file)));
  const Style style = !succeeded(response)                          ? Style::red
                      : response.outcome == model::Outcome::partial ? Style::yellow
                                                                    : Style::green;
  terminal.out_row("outcome", terminal.styled(model::name(response.outcome), style) + " – " +
                                  indented(answer.reading.rule, kTextColumn));
  if (!response.tool.id.empty()) row("tool", response.tool.id);
  if (!response.request_id.empty()) row("request", response.request_id);
  if (response.failure) {
    const model::Failure& failure = *response.failure;
    row("error", failure.message);
    row("kind", fmt::format("{}{}", model::name(failure.kind),
                            failure.code.empty() ? "" : " (code " + failure.code + ")"));
  }
  if (!response.failure) {
    row("shape", fmt::format("{} – {}", model::name(explanation.shape.shape),
                             explanation.shape.shape_reason));
  }
  if (explanation.shape.page) row("page", page_summary(explanation.shape));
  row("payload", payload_summary(response));
  if (response.reduction) row("dropped", dropped_summary(*response.reduction));
  if (!response.blocks.empty())
    row("blocks", fmt::format("{} beside the payload", response.blocks.size()));
  print_list(terminal, "what is wrong with it", explanation.problems, Style::yellow);
  print_list(terminal, "worth knowing", explanation.notes, Style::cyan);
  print_list(terminal, "what to do next", explanation.next_steps, Style::cyan);
}

void print_json(const std::string& file, const Explanation& explanation, Terminal& terminal) {
  const answer::ReadAnswer& answer = explanation.answer;
  json::Writer writer;
  writer.begin_object().member("file", file).member("answer", what_it_is(answer));
  writer.member("contract", answer.reading.origin.contract);
  writer.member("outcome", model::name(answer.reading.response.outcome))
      .member("rule", answer.reading.rule);
  const auto list = [&](std::string_view key, const std::vector<std::string>& lines) {
    writer.key(key).begin_array();
    for (const std::string& line : lines) writer.string(line);
    writer.end_array();
  };
  writer.member("shape", model::name(explanation.shape.shape));
  list("problems", explanation.problems);
  list("next", explanation.next_steps);
  list("notes", explanation.notes);
  writer.member("response", model::to_json(answer.reading.response)).end_object();
  terminal.out_line(std::move(writer).finish());
}

// A picture of the answer and its envelope in response-v2, both uncut.
Result<answer::View> picture_of(answer::ReadAnswer answer, const InputOptions& options) {
  answer::FitSettings settings;
  settings.shape = settings_of(options);
  answer::apply_budget({}, /*otherwise=*/kLargestDocument, settings);
  answer::ExplainedAnswer explained{.before = answer};
  ENFOLD_TRY(explained.whole, answer::size_of_answer(answer, settings));
  ENFOLD_TRY(answer::PreparedAnswer prepared, answer::prepare(std::move(answer), settings));
  ENFOLD_TRY(explained.finished, answer::finish(std::move(prepared), answer::Receipt{}, settings));
  settings.budget.tokens = settings.target = explained.whole.tokens;
  return answer::view_of(explained, /*receipt=*/{}, settings, /*client=*/{});
}

int run_explain(const ExplainOptions& options, Terminal& terminal) {
  if (!options.html.empty() && options.input.files.size() > 1) {
    return terminal.report_usage({ErrorCode::invalid_input,
                                  "expected one answer with --html, found several", "--html",
                                  "make one picture at a time"});
  }
  if (!options.html.empty() && options.as_json) {
    return terminal.report_usage({ErrorCode::invalid_input, "expected --html or --json, found both",
                                  "--html", "a picture is written in place of the text"});
  }
  if (const auto from = contract_named(options.input.from, "--from"); !from)
    return terminal.report_usage(from.error());
  bool is_first = true;
  return for_each_source(options.input, terminal, [&](const std::string& file) -> Result<int> {
    ENFOLD_TRY(const Explanation explanation, explain(file, options.input));
    if (!is_first && !options.as_json) terminal.out("\n");
    is_first = false;
    if (!options.html.empty()) {
      ENFOLD_TRY(const answer::View view, picture_of(explanation.answer, options.input));
      ENFOLD_TRY(write_picture(options.html, view, terminal));
      return kOk;
    }
    options.as_json ? print_json(file, explanation, terminal)
                    : print_text(file, explanation, terminal);
    return kOk;
  });
}

void declare_explain_options(Arguments& arguments, ExplainOptions& options) {
  declare_input_options(arguments, options.input);
  declare_redaction_options(arguments, options.input);
  arguments.flag("--json", options.as_json, "One JSON object per file");
  arguments.text("--html", "FILE", options.html,
                 "Write one HTML file that shows the answer as it is and in\n"
                 "response-v2; - is standard output");
  arguments.footer(
      "The exit code is 0 even if the answer is a failure.\n\n"
      "Examples:\n"
      "  enfold explain answer.json\n"
      "  my-tool | enfold explain");
}

}  // namespace

Run set_up_explain(Arguments& arguments) {
  return set_up(arguments, declare_explain_options, run_explain);
}

}  // namespace enfold::cli
