// SPDX-License-Identifier: Apache-2.0
// `enfold fit`: archives an answer whole, then cuts it to a budget.
#include "cli/input/input.h"
#include "cli/settings/archive_place.h"
#include "cli/settings/fit_settings.h"
#include "cli/terminal/fit_explanation.h"
#include "cli/terminal/picture.h"
#include "cli/terminal/terminal.h"
#include "cli/verbs/verbs.h"
#include "enfold/answer/fit/measure.h"
#include "enfold/answer/shape.h"
#include "enfold/store/stores.h"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/ranges.h>

namespace enfold::cli {
namespace {

struct FitOptions {
  InputOptions input;
  BudgetOptions budget;
  std::string schema_file;  ///< output schema of the tool; empty: none
  std::string archive;      ///< empty: the user's default archive
  std::string to = "response-v2";
  /// Fail if an answer that must be cut cannot be archived, instead of printing it whole.
  bool require_archive = false;
  bool mcp_result = false;  ///< write the envelope inside an MCP result
  bool explain = false;     ///< print what would be cut, instead of the answer
  bool as_json = false;     ///< print the explanation as JSON
  std::string html;         ///< write the explanation as a picture to this file; empty: none
};

// The settings shared by all answers of one run.
struct Plan {
  answer::FitSettings settings;
  std::optional<budget::OutputSchema> schema;
  Result<ArchivePointer> archive = nullptr;  ///< nullptr: not opened yet, because nothing was cut
};

// Checks the options and sets what follows from them alone; read_files() sets the rest of the plan.
Status plan_from_options(const FitOptions& options, Plan& made) {
  ENFOLD_TRY(contract_named(options.input.from, "--from"));
  ENFOLD_TRY(const contract::Id to, contract_to_write(options.to));
  if (!options.budget.tokens && options.budget.client.empty()) {
    return fail(ErrorCode::invalid_input, "expected --budget N or --client NAME, found neither", "",
                "say how many tokens the answer may cost, for example --budget 4000");
  }
  if (!options.html.empty() && !options.explain) {
    return fail(ErrorCode::invalid_input, "expected --explain with --html", "--html",
                "a picture shows an explanation: add --explain");
  }
  if (!options.html.empty() && options.input.files.size() > 1) {
    return fail(ErrorCode::invalid_input, "expected one answer with --html, found several",
                "--html", "make one picture at a time");
  }
  made.settings.shape = settings_of(options.input);
  made.settings.shape.contract = to;
  // Never used: tokens or client are set, as checked above.
  constexpr std::size_t otherwise = 0;
  if (Status done = apply_budget(options.budget, otherwise, made.settings); !done) return done;
  if (Status done = budget::check(made.settings.budget); !done) return done;
  made.settings.if_unstored =
      options.require_archive ? answer::Unstored::fail : answer::Unstored::whole;
  // A place that the user names must be valid. The default place is checked only when an answer
  // must be stored.
  if (options.archive.empty()) return {};
  const Result<ArchivePlace> place = archive_place(options.archive);
  return place ? Status{} : tl::unexpected(place.error());
}

Status read_files(const FitOptions& options, Plan& made) {
  ENFOLD_TRY(made.settings.policy, read_policy_file(options.budget.policy_file));
  made.settings.policy.explain = options.explain;
  if (options.schema_file.empty()) return {};
  ENFOLD_TRY(budget::OutputSchema schema, read_schema_file(options.schema_file));
  made.schema = std::move(schema);
  made.settings.schema = &*made.schema;
  return {};
}

// Only --mcp-result keeps content blocks: an envelope alone has no place for them.
Result<answer::PreparedAnswer> prepare(json::Buffer bytes, const std::string& file,
                                       const FitOptions& options, const Plan& plan,
                                       Terminal& terminal) {
  Result<Answer> answer = read_answer(std::move(bytes), options.input, plan.settings.shape);
  if (!answer) return tl::unexpected(answer.error());
  for (const model::Warning& odd : answer->oddities) {
    terminal.warn(fmt::format("{}: {}", display_name(file), odd.message));
  }
  return options.mcp_result ? answer::prepare_with_blocks(std::move(answer->parsed), plan.settings)
                            : answer::prepare(std::move(answer->parsed), plan.settings);
}

Result<ArchivePointer> open_archive(const FitOptions& options) {
  ENFOLD_TRY(const ArchivePlace place, archive_place(options.archive));
  return open_or_make(place);
}

// Archives an answer that must be cut. --explain stores nothing: it uses an archive in memory,
// which gives the same handle.
Result<answer::Receipt> store_away(const answer::PreparedAnswer& prepared,
                                   const FitOptions& options, Plan& plan) {
  if (prepared.fits) return answer::Receipt{};
  if (plan.archive && *plan.archive == nullptr) {
    plan.archive = options.explain ? store::memory_archive() : open_archive(options);
  }
  if (!plan.archive) return tl::unexpected(plan.archive.error());
  const store::Meta meta{.tool = options.input.tool, .media_type = prepared.media_type};
  ENFOLD_TRY(const store::Receipt receipt,
             (*plan.archive)->put(kPrincipal, prepared.to_store(), meta, now()));
  return answer::Receipt{receipt.handle, receipt.hash};
}

Status print_answer(const answer::FittedAnswer& finished, const FitOptions& options,
                    const Plan& plan, Terminal& terminal) {
  const answer::ShapeSettings& shape = plan.settings.shape;
  ENFOLD_TRY(json::Output output, options.mcp_result
                                      ? answer::write_result(finished.answer, shape)
                                      : answer::write_envelope(finished.answer, shape));
  terminal.out_line(output);
  terminal.flush();  // so that the reader can use the handle before the next answer is fitted
  return {};
}

void warn_of_blocks(const std::string& file, const model::Response& response, Terminal& terminal) {
  const std::size_t count = response.blocks.size();
  if (count == 0) return;
  terminal.warn(
      fmt::format("{}: {} content block{} beside the envelope {} not shown; "
                  "--mcp-result shows everything",
                  display_name(file), count, count == 1 ? "" : "s", count == 1 ? "is" : "are"));
}

// Warns of members of the MCP result beside its content, which the envelope does not have. Called
// only if the answer is not archived: an archived original has them.
void warn_of_members(const std::string& file, const answer::ReadAnswer& answer,
                     Terminal& terminal) {
  std::vector<std::string> names;
  for (const json::Member& member : answer::foreign_members(answer)) {
    names.push_back(printable(member.key.string()));
  }
  if (names.empty()) return;
  constexpr std::size_t kMostNamed = 8;
  const std::size_t count = names.size();
  names.resize(std::min(count, kMostNamed));
  terminal.warn(
      fmt::format("{}: {} member{} beside the content ({}{}) {} not shown; "
                  "--mcp-result shows everything",
                  display_name(file), count, count == 1 ? "" : "s", fmt::join(names, ", "),
                  count > kMostNamed ? ", …" : "", count == 1 ? "is" : "are"));
}

void warn_unstored(const std::string& file, const Error& error, Terminal& terminal) {
  terminal.warn(fmt::format("{}: over the budget, because it could not be archived: {}{}{}",
                            display_name(file), error.message, error.where.empty() ? "" : " at ",
                            error.where),
                error.hint);
}

Result<int> fit_file(const std::string& file, const FitOptions& options, Plan& plan,
                     Terminal& terminal) {
  ENFOLD_TRY(json::Buffer bytes, read_all(file, options.input.limits));
  ENFOLD_TRY(answer::PreparedAnswer prepared,
             prepare(std::move(bytes), file, options, plan, terminal));
  FitExplanation explanation{.file = file,
                             .fits = prepared.fits,
                             .settings = &plan.settings,
                             .client = options.budget.client};
  answer::ExplainedAnswer picture{.fits = prepared.fits};
  if (options.explain) {
    ENFOLD_TRY(explanation.whole, answer::size_of_answer(prepared.answer, plan.settings));
    picture.whole = explanation.whole;
  }
  if (!options.html.empty()) picture.before = prepared.answer;
  // An error does not end the function: Unstored decides what finish() makes of the answer.
  const Result<answer::Receipt> stored = store_away(prepared, options, plan);
  ENFOLD_TRY(const answer::FittedAnswer finished,
             answer::finish(std::move(prepared), stored, plan.settings));
  if (options.explain && stored) {
    explanation.receipt = *stored;
    explanation.finished = &finished;
    if (!options.html.empty()) {
      picture.finished = finished;
      ENFOLD_TRY(const answer::View view,
                 answer::view_of(picture, *stored, plan.settings, options.budget.client));
      ENFOLD_TRY(write_picture(options.html, view, terminal));
      return kOk;
    }
    options.as_json ? print_json(explanation, terminal) : print_text(explanation, terminal);
    return kOk;
  }
  ENFOLD_TRY(print_answer(finished, options, plan, terminal));
  if (!options.mcp_result) {
    warn_of_blocks(file, finished.answer.reading.response, terminal);
    if (explanation.fits || !stored) warn_of_members(file, finished.answer, terminal);
  }
  if (stored) return kOk;
  if (options.require_archive) return terminal.report(stored.error(), display_name(file));
  warn_unstored(file, stored.error(), terminal);
  return kNegative;
}

int run_fit(const FitOptions& options, Terminal& terminal) {
  Plan plan;
  if (const Status usage = plan_from_options(options, plan); !usage)
    return terminal.report_usage(usage.error());
  if (const Status files = read_files(options, plan); !files) return terminal.report(files.error());
  bool is_first = true;
  return for_each_source(options.input, terminal, [&](const std::string& file) {
    if (options.explain && !options.as_json && !is_first) terminal.out("\n");
    is_first = false;
    return fit_file(file, options, plan, terminal);
  });
}

void declare_fit_options(Arguments& arguments, FitOptions& options) {
  declare_budget_options(arguments, options.budget, "; required without --client");
  arguments.text("--schema", "FILE", options.schema_file,
                 "Output schema of the tool; the cut payload still meets it");
  declare_archive_option(arguments, options.archive);
  arguments.flag("--require-archive", options.require_archive,
                 "Fail if the original cannot be archived, instead of showing it whole");
  declare_envelope_option(arguments, options.to);
  arguments.flag("--mcp-result", options.mcp_result, "Put the envelope into an MCP tool result");
  arguments.flag("--explain", options.explain,
                 "Show what would be kept and dropped and what it costs; store nothing");
  arguments.flag("--json", options.as_json, "With --explain: print JSON");
  arguments.text("--html", "FILE", options.html,
                 "With --explain: write a picture, before and after, as one HTML file;\n"
                 "- is standard output");
  declare_input_options(arguments, options.input);
  declare_redaction_options(arguments, options.input);
  arguments.footer(
      "An answer over the budget is archived before it is cut; its meta names the handle for\n"
      "`enfold fetch`. An answer that fits is neither cut nor archived. Exit code 2 if an answer\n"
      "could not be archived and is shown whole, over the budget.\n\n" +
      std::string(kArchivePlaces) +
      "Examples:\n"
      "  enfold fit --budget 4000 answer.json\n"
      "  enfold fit --budget 4000 --explain answer.json\n"
      "  my-tool | enfold fit --client claude-code --schema output.schema.json --mcp-result");
}

}  // namespace

Run set_up_fit(Arguments& arguments) { return set_up(arguments, declare_fit_options, run_fit); }

}  // namespace enfold::cli
