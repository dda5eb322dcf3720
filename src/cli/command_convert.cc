// SPDX-License-Identifier: Apache-2.0
#include "cli/exit_code.h"
#include "cli/input.h"
#include "enfold/contract/convert.h"
#include "enfold/level/settings.h"

#include <algorithm>
#include <cstdio>
#include <fmt/core.h>
#include <memory>

namespace enfold::cli {
namespace {

using Report = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// Everything that is the same for all answers of one run.
struct Plan {
  pipeline::Settings settings;
  level::Settings levels;
  Report report{nullptr, &std::fclose};
};

// Why there is no plan, and how the program ends for it.
struct Refusal {
  Error error;
  int exit_code;
};

tl::unexpected<Refusal> usage(std::string message, std::string hint = {}) {
  return tl::unexpected(
      Refusal{{ErrorCode::invalid_input, std::move(message), "", std::move(hint)}, kBadUsage});
}

Result<level::Settings> read_levels(const std::string& file) {
  if (file.empty()) return level::Settings{};
  Result<json::Buffer> bytes = read_all(file, Limits{});
  if (!bytes) return tl::unexpected(bytes.error());
  Result<json::Document> document = json::parse(std::move(*bytes));
  if (!document) return tl::unexpected(document.error());
  return level::read_settings(document->root());
}

tl::expected<std::unique_ptr<Plan>, Refusal> plan(const ConvertOptions& options) {
  auto made = std::make_unique<Plan>();
  made->settings = settings_of(options.input);
  if (const auto from = contract_named(options.input.from); !from) {
    return usage(from.error().message, from.error().hint);
  }
  const Result<std::optional<contract::Id>> to = contract_named(options.to);
  if (!to || !*to)
    return usage("expected a contract to convert to, found \"" + options.to + "\"",
                 "`enfold contracts` lists them");
  made->settings.contract = **to;
  const auto level = model::from_name<model::Level>(options.level);
  if (!level)
    return usage("expected minimal, standard or full as level, found \"" + options.level + "\"");
  made->settings.level = *level;
  const auto members = contract::members_from_name(options.members);
  if (!members) {
    return usage("expected strict, minimal, standard, verbose or debug as members, found \"" +
                 options.members + "\"");
  }
  made->settings.members = *members;
  made->settings.extensions = options.extensions;
  made->settings.honour_root_failure = options.honour_root_failure;
  Result<level::Settings> levels = read_levels(options.levels_file);
  if (!levels) {
    Error error = levels.error();
    error.where = options.levels_file + (error.where.empty() ? "" : ", " + error.where);
    return tl::unexpected(Refusal{std::move(error), kBadInput});
  }
  made->levels = std::move(*levels);
  made->settings.projections = &made->levels.projections;
  if (!options.report_file.empty()) {
    made->report.reset(std::fopen(options.report_file.c_str(), "w"));
    if (!made->report) {
      return usage("cannot write the report file " + options.report_file);
    }
  }
  return made;
}

// One JSON line per answer: how it was understood and what did not fit.
Status write_report(const std::string& source, const pipeline::Understood& answer, const Plan& plan,
                    const json::Output& output) {
  if (!plan.report) return {};
  Result<json::Document> document =
      json::parse(output.buffer(), Limits{.max_bytes = kLargestDocument});
  if (!document) return tl::unexpected(document.error());
  Result<std::vector<contract::Loss>> lost = contract::losses(
      answer.source.view(), answer.reading, plan.settings.contract, document->root());
  if (!lost) return tl::unexpected(lost.error());
  json::Writer writer;
  writer.begin_object().member("file", source).member("from", contract::name(answer.from));
  writer.member("to", contract::name(plan.settings.contract));
  writer.member("outcome", model::name(answer.reading.response.outcome))
      .member("rule", answer.reading.rule);
  writer.member("redactions", static_cast<std::int64_t>(answer.redactions))
      .key("lost")
      .begin_array();
  for (const contract::Loss& loss : *lost) {
    writer.begin_object().member("path", loss.path).member("reason", loss.reason).end_object();
  }
  writer.end_array().key("warnings").begin_array();
  for (const model::Warning& warning : answer.reading.response.warnings)
    writer.string(warning.message);
  writer.end_array().end_object();
  std::move(writer).finish().each([&](std::string_view slice) {
    std::fwrite(slice.data(), 1, slice.size(), plan.report.get());
  });
  std::fputc('\n', plan.report.get());
  return {};
}

Status convert_one(json::Buffer bytes, const std::string& source, const ConvertOptions& options,
                   const Plan& plan, Terminal& terminal) {
  Result<pipeline::Understood> answer = understand(std::move(bytes), options.input, plan.settings);
  if (!answer) return tl::unexpected(answer.error());
  Result<json::Output> envelope = pipeline::write_envelope(*answer, plan.settings);
  if (!envelope) return tl::unexpected(envelope.error());
  if (Status status = write_report(source, *answer, plan, *envelope); !status) return status;
  Result<json::Output> output =
      options.mcp_result ? pipeline::write_result(*answer, plan.settings) : std::move(envelope);
  if (!output) return tl::unexpected(output.error());
  if (options.pretty) {
    Result<json::Document> document =
        json::parse(output->buffer(), Limits{.max_bytes = kLargestDocument});
    if (!document) return tl::unexpected(document.error());
    terminal.out(json::pretty(document->root()));
  } else {
    terminal.out(*output);
  }
  terminal.out("\n");
  return {};
}

int convert_lines(const std::string& file, const ConvertOptions& options, const Plan& plan,
                  Terminal& terminal) {
  int code = kOk;
  std::size_t number = 0;
  std::size_t bytes = 0;
  const auto note_failure = [&](const Error& error) {
    terminal.report(error, fmt::format("{}, line {} of the input", display_name(file), number));
    code = std::max(code, exit_code_of(error));
  };
  const Status status = read_lines(file, options.input.limits, [&](Result<json::Buffer> line) {
    ++number;
    if (!line) {
      note_failure(line.error());
      return true;
    }
    bytes += line->size();
    if (line->view().find_first_not_of(" \t\r") == std::string_view::npos) return true;
    const std::string source = fmt::format("{}:{}", file, number);
    if (Status done = convert_one(std::move(*line), source, options, plan, terminal); !done) {
      note_failure(done.error());
    }
    if (number % 1000 == 0) {
      terminal.progress(fmt::format("{} answers, {} MB", number, bytes / 1'000'000));
    }
    return terminal.is_open();
  });
  terminal.end_progress();
  if (status) return code;
  terminal.report(status.error(), display_name(file));
  return std::max(code, exit_code_of(status.error()));
}

int convert_file(const std::string& file, const ConvertOptions& options, const Plan& plan,
                 Terminal& terminal) {
  if (options.lines) return convert_lines(file, options, plan, terminal);
  Result<json::Buffer> bytes = read_all(file, options.input.limits);
  const Status done = bytes ? convert_one(std::move(*bytes), file, options, plan, terminal)
                            : Status(tl::unexpected(bytes.error()));
  if (done) return kOk;
  terminal.report(done.error(), display_name(file));
  return exit_code_of(done.error());
}

}  // namespace

int run_convert(const ConvertOptions& options, Terminal& terminal) {
  const auto made = plan(options);
  if (!made) {
    terminal.report(made.error().error);
    return made.error().exit_code;
  }
  int code = kOk;
  for (const std::string& file : sources(options.input)) {
    code = std::max(code, convert_file(file, options, **made, terminal));
  }
  terminal.flush();
  return code;
}

}  // namespace enfold::cli
