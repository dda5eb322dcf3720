// SPDX-License-Identifier: Apache-2.0
#include "cli/input/input.h"
#include "cli/terminal/terminal.h"
#include "cli/verbs/verbs.h"
#include "enfold/contract/contract.h"
#include "enfold/level/settings.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/core.h>
#include <memory>

namespace enfold::cli {
namespace {

struct ConvertOptions {
  InputOptions input;
  std::string to;                  ///< name of the contract to write
  std::string level;               ///< empty: the level of the levels file, else full
  std::string levels_file;         ///< empty: none
  std::string members = "strict";  ///< of scalpel-v1
  std::string report_file;         ///< empty: none
  bool extensions = true;          ///< write the extension slot
  bool mcp_result = false;         ///< write the envelope inside an MCP result
  bool pretty = false;
  bool lines = false;     ///< JSON Lines in and out
  bool is_parse = false;  ///< the verb is `parse`; see declare_parse_options()
};

// The file of --report. A failed write is an error, because the user relies on the report.
class Report {
 public:
  [[nodiscard]] Status open(const std::string& file) {
    if (file == "-") {
      return fail(ErrorCode::invalid_input, "the report cannot go where the answers go", "",
                  "name a file: --report losses.jsonl");
    }
    stream_.reset(std::fopen(file.c_str(), "we"));
    if (stream_) return {};
    return fail(ErrorCode::invalid_input,
                fmt::format("cannot write the report: {}", std::strerror(errno)), file,
                "name a file that you may write");
  }
  [[nodiscard]] bool is_open() const { return stream_ != nullptr; }

  [[nodiscard]] Status write_line(const json::Output& json) {
    bool written = true;
    json.each([&](std::string_view slice) {
      written =
          written && std::fwrite(slice.data(), 1, slice.size(), stream_.get()) == slice.size();
    });
    return written && std::fputc('\n', stream_.get()) != EOF ? Status{} : failure();
  }
  /// Returns no error if a write has failed before: that error was returned already.
  [[nodiscard]] Status close() {
    if (stream_ == nullptr || std::fclose(stream_.release()) == 0 || is_broken_) return {};
    return failure();
  }
  /// A write failed: its error was returned, and the verb must stop.
  [[nodiscard]] bool is_broken() const { return is_broken_; }

 private:
  Status failure() {
    is_broken_ = true;
    return fail(ErrorCode::internal,
                fmt::format("cannot write the report: {}", std::strerror(errno)), "",
                "what was written of it is not complete");
  }
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream_{nullptr, &std::fclose};
  bool is_broken_ = false;
};

// The settings shared by all answers of one run.
struct Plan {
  answer::ShapeSettings settings;
  level::Settings levels;
  Report report;
};

// Why plan() failed, and the exit code.
struct Refusal {
  Error error;
  int exit_code;
};

tl::unexpected<Refusal> bad_usage(std::string message, std::string hint = {}) {
  return tl::unexpected(
      Refusal{{ErrorCode::invalid_input, std::move(message), "", std::move(hint)}, kBadUsage});
}

Result<level::Settings> read_levels(const std::string& file) {
  if (file.empty()) return level::Settings{};
  ENFOLD_TRY(json::Buffer bytes, read_all(file, Limits{}));
  ENFOLD_TRY(json::Document document, json::parse(std::move(bytes)));
  return level::read_settings(document.root());
}

// The level of --level, else that of the levels file for the tool, else full. nullopt: --level
// names no level.
std::optional<model::Level> level_wanted(const ConvertOptions& options,
                                         const level::LevelConfig& config) {
  if (!options.level.empty()) return model::from_name<model::Level>(options.level);
  const auto configured = config.per_tool.find(options.input.tool);
  if (configured != config.per_tool.end()) return configured->second;
  return config.default_level.value_or(model::Level::full);
}

tl::expected<std::unique_ptr<Plan>, Refusal> plan(const ConvertOptions& options) {
  auto made = std::make_unique<Plan>();
  made->settings = settings_of(options.input);
  if (options.pretty && options.lines) {
    return bad_usage("--pretty and --jsonl exclude each other",
                     "JSON Lines need one line per answer");
  }
  if (const auto from = contract_named(options.input.from, "--from"); !from) {
    return tl::unexpected(Refusal{from.error(), kBadUsage});
  }
  const Result<std::optional<contract::Id>> to = contract_named(options.to, "--to");
  if (!to) return tl::unexpected(Refusal{to.error(), kBadUsage});
  if (!*to) {
    return bad_usage("expected the name of a contract to write, found \"auto\"",
                     "`enfold contracts` lists them");
  }
  made->settings.contract = **to;
  const Result<contract::Members> members = members_named(options.members);
  if (!members) return tl::unexpected(Refusal{members.error(), kBadUsage});
  made->settings.members = *members;
  made->settings.extensions = options.extensions;
  // `parse` reads the data of any tool, in which a boolean `success` need not mean the contract
  // `memory`. With Position::wrapped that contract is not tried.
  if (options.is_parse) made->settings.position = contract::Position::wrapped;
  Result<level::Settings> levels = read_levels(options.levels_file);
  if (!levels) {
    Error error = levels.error();
    error.where = options.levels_file + (error.where.empty() ? "" : ", " + error.where);
    return tl::unexpected(Refusal{std::move(error), kBadInput});
  }
  made->levels = std::move(*levels);
  made->settings.projections = &made->levels.projections;
  const auto level = level_wanted(options, made->levels.levels);
  if (!level) {
    return bad_usage("expected minimal, standard or full as level, found \"" + options.level +
                     "\"");
  }
  made->settings.level = *level;
  if (!options.report_file.empty()) {
    if (Status opened = made->report.open(options.report_file); !opened) {
      return tl::unexpected(Refusal{opened.error(), kBadUsage});
    }
  }
  return made;
}

// Writes one JSON line per answer: how it was read and what the target contract cannot express.
Status write_report(const std::string& source, const answer::ReadAnswer& answer, Plan& plan,
                    const json::Output& output) {
  if (!plan.report.is_open()) return {};
  ENFOLD_TRY(json::Document document,
             json::parse(output.buffer(), Limits{.max_bytes = kLargestDocument}));
  ENFOLD_TRY(std::vector<contract::Loss> lost,
             contract::losses(answer.source.view(), answer.reading, plan.settings.contract,
                              document.root()));
  json::Writer writer;
  writer.begin_object().member("file", source).member("from", contract::name(answer.from));
  writer.member("to", contract::name(plan.settings.contract));
  writer.member("outcome", model::name(answer.reading.response.outcome))
      .member("rule", answer.reading.rule);
  writer.member("redactions", static_cast<std::int64_t>(answer.redactions))
      .key("lost")
      .begin_array();
  for (const contract::Loss& loss : lost) {
    writer.begin_object().member("path", loss.path).member("reason", loss.reason).end_object();
  }
  writer.end_array().key("warnings").begin_array();
  for (const model::Warning& warning : answer.reading.response.warnings)
    writer.string(warning.message);
  writer.end_array().end_object();
  return plan.report.write_line(std::move(writer).finish());
}

// For `parse`, writes the extension slot only if the answer came in an envelope: the slot keeps
// what the envelope had and `generic` has no place for.
answer::ShapeSettings settings_for(const answer::ReadAnswer& answer, const ConvertOptions& options,
                                   const Plan& plan) {
  answer::ShapeSettings settings = plan.settings;
  if (options.is_parse) {
    const auto origin = contract::from_name(answer.reading.origin.contract);
    settings.extensions = origin && contract::is_envelope(*origin);
  }
  return settings;
}

// `source`: the name of the file, or `file:line`, for warnings and the report.
Status convert_one(json::Buffer bytes, const std::string& source, const ConvertOptions& options,
                   Plan& plan, Terminal& terminal) {
  Result<Answer> answer = read_answer(std::move(bytes), options.input, plan.settings);
  if (!answer) return tl::unexpected(answer.error());
  for (const model::Warning& odd : answer->oddities) {
    terminal.warn(fmt::format("{}: {}", display_name(source), odd.message));
  }
  const answer::ShapeSettings settings = settings_for(answer->parsed, options, plan);
  if (options.is_parse) contract::move_blocks_to_metadata(answer->parsed.reading.response);
  Result<json::Output> envelope = answer::write_envelope(answer->parsed, settings);
  if (!envelope) return tl::unexpected(envelope.error());
  if (Status status = write_report(source, answer->parsed, plan, *envelope); !status) {
    return status;
  }
  ENFOLD_TRY(json::Output output, options.mcp_result
                                      ? answer::write_result(answer->parsed, settings)
                                      : std::move(envelope));
  if (options.pretty) {
    ENFOLD_TRY(json::Document document,
               json::parse(output.buffer(), Limits{.max_bytes = kLargestDocument}));
    terminal.out(json::pretty(document.root()));
  } else {
    terminal.out(output);
  }
  terminal.out("\n");
  return {};
}

constexpr std::size_t kProgressBytes = 8'000'000;  // input between two updates of the progress line

int convert_lines(const std::string& file, const ConvertOptions& options, Plan& plan,
                  Terminal& terminal) {
  int code = kOk;
  std::size_t line_number = 0;     // of the current line, from 1
  std::size_t bytes = 0;           // read so far
  std::size_t bytes_at_shown = 0;  // value of `bytes` when progress was last shown
  const auto report_failure = [&](Error error) {
    // `file:line_number` names the line already, so only the column is kept.
    constexpr std::string_view first_line = "line 1, ";
    if (error.where.starts_with(first_line)) error.where.erase(0, first_line.size());
    code = std::max(code,
                    terminal.report(error, fmt::format("{}:{}", display_name(file), line_number)));
  };
  const Status status = read_lines(file, options.input.limits, [&](Result<json::Buffer> line) {
    ++line_number;
    if (!line) {
      report_failure(line.error());
      return true;
    }
    bytes += line->size();
    if (line->view().find_first_not_of(" \t\r") == std::string_view::npos) return true;
    const std::string source = fmt::format("{}:{}", file, line_number);
    if (Status done = convert_one(std::move(*line), source, options, plan, terminal); !done) {
      report_failure(done.error());
    }
    if (line_number % 1000 == 0 || bytes - bytes_at_shown > kProgressBytes) {
      terminal.progress(fmt::format("{} answers, {} MB", line_number, bytes / 1'000'000));
      bytes_at_shown = bytes;
    }
    terminal.flush();  // so that the reader gets every answer at once
    return terminal.is_open() && !plan.report.is_broken();
  });
  terminal.end_progress();
  if (status) return code;
  return std::max(code, terminal.report(status.error(), display_name(file)));
}

int convert_file(const std::string& file, const ConvertOptions& options, Plan& plan,
                 Terminal& terminal) {
  if (options.lines) return convert_lines(file, options, plan, terminal);
  Result<json::Buffer> bytes = read_all(file, options.input.limits);
  const Status done = bytes ? convert_one(std::move(*bytes), file, options, plan, terminal)
                            : Status(tl::unexpected(bytes.error()));
  if (done) return kOk;
  return terminal.report(done.error(), display_name(file));
}

void declare_output_options(Arguments& arguments, ConvertOptions& options) {
  arguments.flag("--pretty", options.pretty, "Indent the output");
  arguments.flag("--jsonl", options.lines, "JSON Lines in, JSON Lines out");
  options.input.has_jsonl = true;
  arguments.accept_json_flag();
}

void declare_convert_options(Arguments& arguments, ConvertOptions& options) {
  arguments.text("--to", "NAME", options.to,
                 "Contract to write: response-v2, response-v1, generic, scalpel-v1 or\nmemory");
  arguments.require("--to",
                    "for example --to response-v2; `enfold contracts` lists "
                    "them");
  declare_input_options(arguments, options.input);
  declare_redaction_options(arguments, options.input);
  arguments.text("--level", "LEVEL", options.level,
                 "minimal, standard or full. Default: that of --levels, else full");
  arguments.text("--levels", "FILE", options.levels_file,
                 "What each level shows of each tool; see docs/guide/levels.md");
  arguments.text("--members", "SET", options.members,
                 "Members of scalpel-v1: strict, minimal, standard, verbose or debug");
  arguments.flag("--no-extensions", options.extensions,
                 "Omit the extension slot; the report lists what is lost", false);
  arguments.text("--report", "FILE", options.report_file,
                 "Write outcome, rule and losses to a file, one JSON line per answer");
  arguments.flag("--mcp-result", options.mcp_result, "Put the envelope into an MCP tool result");
  declare_output_options(arguments, options);
  arguments.footer(
      "Prints one line of JSON per answer. Secrets are replaced by markers such as "
      "[REDACTED:API_KEY].\n\n"
      "Examples:\n"
      "  enfold convert --to response-v2 result.json\n"
      "  enfold convert --to scalpel-v1 --no-extensions --report losses.jsonl result.json\n"
      "  enfold convert --to generic --from mcp --tool list_issues --jsonl < results.jsonl\n"
      "  enfold convert --to response-v2 --tool search --levels levels.json --level minimal "
      "a.json");
}

int run_convert(const ConvertOptions& options, Terminal& terminal) {
  const auto made = plan(options);
  if (!made) {
    terminal.report(made.error().error);
    return made.error().exit_code;
  }
  if (!options.level.empty() && options.levels_file.empty()) {
    terminal.warn("--level changes nothing without --levels: no level of any tool is known");
  }
  int code = kOk;
  for (const std::string& file : sources(options.input)) {
    code = std::max(code, convert_file(file, options, **made, terminal));
    if (!terminal.is_open() || (*made)->report.is_broken()) break;
  }
  if (const Status closed = (*made)->report.close(); !closed) {
    code = std::max(code, terminal.report(closed.error(), options.report_file));
  }
  return code;
}

// `enfold parse`: `convert --to generic` for data of any tool, which is never read as `memory`.
void declare_parse_options(Arguments& arguments, ConvertOptions& options) {
  options.to = "generic";
  options.is_parse = true;
  declare_input_options(arguments, options.input);
  declare_redaction_options(arguments, options.input);
  declare_output_options(arguments, options);
  arguments.footer(
      "The result depends only on the input; no model is used. The rules are in\n"
      "docs/reference/contracts/generic.md. The verb in the name of --tool helps to distinguish\n"
      "lists, actions and single objects.\n\n"
      "Examples:\n"
      "  enfold parse --tool discord_list_channels answer.json\n"
      "  my-tool | enfold parse --from text --tool send_message");
}

}  // namespace

Run set_up_convert(Arguments& arguments) {
  return set_up(arguments, declare_convert_options, run_convert);
}

Run set_up_parse(Arguments& arguments) {
  return set_up(arguments, declare_parse_options, run_convert);
}

}  // namespace enfold::cli
