// SPDX-License-Identifier: Apache-2.0
// `enfold archive`: lists, counts, expires and verifies archived answers.
#include "cli/settings/archive_place.h"
#include "cli/terminal/terminal.h"
#include "cli/verbs/verbs.h"
#include "enfold/base/text.h"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <map>

namespace enfold::cli {
namespace {

struct ArchiveOptions {
  std::string action;       ///< ls, stats, gc or verify
  std::string archive;      ///< empty: the default archive
  std::string tool;         ///< for ls; empty: all tools
  std::size_t limit = 100;  ///< for ls: answers that are shown
  bool as_json = false;
  std::vector<std::string> used_options;  ///< names, to find those that do not fit the action
};

std::int64_t to_signed(std::uint64_t value) { return static_cast<std::int64_t>(value); }

// 512 B, 9.8 KB, 1.2 MB
std::string human_size(std::uint64_t bytes) {
  constexpr std::string_view kUnits = "KMGT";
  if (bytes < 1000) return fmt::format("{} B", bytes);
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (value /= 1000; value >= 999.95 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  return fmt::format("{:.1f} {}B", value, kUnits[unit]);
}

void print_entry_json(const store::Entry& entry, Terminal& terminal) {
  json::Writer writer;
  writer.begin_object().member("handle", entry.handle).member("hash", entry.hash);
  writer.member("tool", entry.meta.tool).member("media_type", entry.meta.media_type);
  writer.member("size", to_signed(entry.size)).member("stored_size", to_signed(entry.stored_size));
  writer.member("created", to_text(entry.created)).member("expires", to_text(entry.expires));
  writer.end_object();
  terminal.out_line(std::move(writer).finish());
}

Result<int> list(store::Archive& archive, const ArchiveOptions& options, Terminal& terminal) {
  // Asks for one more than is shown, to know whether there are more.
  ENFOLD_TRY(const auto found,
             archive.find(kPrincipal, {.tool = options.tool, .skip = 0, .limit = options.limit + 1},
                          now()));
  const std::size_t shown = std::min(found.size(), options.limit);
  if (!options.as_json && shown > 0) {
    terminal.out(terminal.styled(fmt::format("{:<12}  {:>9}  {:>9}  {:<20}  {:<20}  {}\n", "HANDLE",
                                             "SIZE", "STORED", "CREATED", "EXPIRES", "TOOL"),
                                 Style::bold));
  }
  for (std::size_t i = 0; i < shown; ++i) {
    const store::Entry& entry = found[i];
    if (options.as_json) {
      print_entry_json(entry, terminal);
      continue;
    }
    terminal.out(fmt::format("{:<12}  {:>9}  {:>9}  {:<20}  {:<20}  {}\n", entry.handle,
                             human_size(entry.size), human_size(entry.stored_size),
                             to_text(entry.created), to_text(entry.expires),
                             entry.meta.tool.empty() ? "-" : printable(entry.meta.tool)));
  }
  if (shown == 0 && !options.as_json) {
    terminal.out(options.tool.empty() ? std::string("nothing is archived\n")
                                      : fmt::format("nothing of the tool {} is archived\n",
                                                    printable(options.tool)));
  }
  if (found.size() > shown) {
    terminal.warn(fmt::format("there are more than {}; use --limit to show more", shown));
  }
  return kOk;
}

Result<int> print_statistics(store::Archive& archive, const std::string& place,
                             const ArchiveOptions& options, Terminal& terminal) {
  ENFOLD_TRY(const store::Statistics statistics, archive.statistics());
  if (options.as_json) {
    json::Writer writer;
    writer.begin_object().member("archive", place);
    writer.member("principals", to_signed(statistics.principals))
        .member("entries", to_signed(statistics.entries));
    writer.member("bytes", to_signed(statistics.bytes))
        .member("stored_bytes", to_signed(statistics.stored_bytes));
    writer.key("warnings").begin_array();
    for (const std::string& warning : statistics.warnings) writer.string(warning);
    writer.end_array().end_object();
    terminal.out_line(std::move(writer).finish());
    return kOk;
  }
  terminal.out_row("archive", printable(place));
  terminal.out_row("answers", fmt::format("{} ({})", statistics.entries,
                                          counted(statistics.principals, "principal")));
  terminal.out_row("size", human_size(statistics.bytes));
  const auto share = statistics.bytes == 0 ? 0.0
                                           : 100.0 * static_cast<double>(statistics.stored_bytes) /
                                                 static_cast<double>(statistics.bytes);
  terminal.out_row("stored",
                   fmt::format("{} ({:.0f} %)", human_size(statistics.stored_bytes), share));
  for (const std::string& warning : statistics.warnings) terminal.warn(warning);
  return kOk;
}

Result<int> remove_expired(store::Archive& archive, const ArchiveOptions& options,
                           Terminal& terminal) {
  ENFOLD_TRY(const auto removed, archive.expire(now()));
  if (options.as_json) {
    json::Writer writer;
    writer.begin_object().member("removed", to_signed(removed)).end_object();
    terminal.out_line(std::move(writer).finish());
  } else {
    terminal.out(fmt::format("removed {}\n", counted(removed, "expired answer")));
  }
  return kOk;
}

Result<int> verify(store::Archive& archive, const ArchiveOptions& options, Terminal& terminal) {
  ENFOLD_TRY(const auto verified, archive.verify());
  const auto& damaged = verified.damaged;
  if (options.as_json) {
    json::Writer writer;
    writer.begin_object()
        .member("checked", to_signed(verified.checked))
        .key("damaged")
        .begin_array();
    for (const store::Damage& one : damaged) {
      writer.begin_object().member("handle", one.handle).member("hash", one.hash);
      writer.member("problem", one.problem).end_object();
    }
    writer.end_array().end_object();
    terminal.out_line(std::move(writer).finish());
  } else {
    const std::string state =
        damaged.empty() ? terminal.styled("none damaged", Style::green)
                        : terminal.styled(fmt::format("{} damaged", damaged.size()), Style::red);
    terminal.out(fmt::format("checked {}, {}\n", counted(verified.checked, "answer"), state));
    for (const store::Damage& one : damaged) {
      terminal.out(fmt::format("  {}: {}\n    {}\n", one.handle, printable(one.problem), one.hash));
    }
  }
  return damaged.empty() ? kOk : kNegative;
}

Result<int> run_action(store::Archive& archive, const std::string& place,
                       const ArchiveOptions& options, Terminal& terminal) {
  if (options.action == "ls") return list(archive, options, terminal);
  if (options.action == "stats") return print_statistics(archive, place, options, terminal);
  if (options.action == "gc") return remove_expired(archive, options, terminal);
  return verify(archive, options, terminal);
}

// Suggests an action for a typed name that other programs use, such as `list`.
std::string action_hint(const std::string& typed, const std::vector<std::string>& actions) {
  static const std::map<std::string_view, std::string_view> others{
      {"list", "ls"},     {"show", "ls"},     {"dir", "ls"},      {"info", "stats"},
      {"count", "stats"}, {"clean", "gc"},    {"prune", "gc"},    {"expire", "gc"},
      {"purge", "gc"},    {"fsck", "verify"}, {"check", "verify"}};
  const auto other = others.find(typed);
  if (other != others.end()) return fmt::format("did you mean {}?", other->second);
  return did_you_mean(typed, actions, "for example `enfold archive ls`");
}

// --tool and --limit filter only the list; gc and verify always cover the whole archive.
Status check_usage(const ArchiveOptions& options) {
  static const std::vector<std::string> actions{"ls", "stats", "gc", "verify"};
  if (std::find(actions.begin(), actions.end(), options.action) == actions.end()) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected {}, found \"{}\"", fmt::join(actions, ", "), options.action),
                "", action_hint(options.action, actions));
  }
  if (options.action == "ls") return {};
  for (const std::string& option : options.used_options) {
    if (option != "--tool" && option != "--limit") continue;
    return fail(ErrorCode::invalid_input,
                fmt::format("expected {} with ls only, found it with {}", option, options.action),
                "", fmt::format("remove it: {} covers the whole archive", options.action));
  }
  return {};
}

int run_archive(const ArchiveOptions& options, Terminal& terminal) {
  if (const Status usage = check_usage(options); !usage)
    return terminal.report_usage(usage.error());
  const Result<ArchivePlace> place = archive_place(options.archive);
  if (!place) return terminal.report_usage(place.error());
  const Result<ArchivePointer> archive = open_existing(*place);
  const Result<int> code = archive ? run_action(**archive, place->shown(), options, terminal)
                                   : Result<int>(tl::unexpected(archive.error()));
  if (code) return *code;
  const int failed = terminal.report(code.error());
  // An archive that cannot be read at all is damage that verify has found, not a failure of verify:
  // prints it as damage and returns the exit code for damage.
  if (options.action != "verify" || code.error().code != ErrorCode::internal) {
    return failed;
  }
  if (options.as_json) {
    json::Writer writer;
    writer.begin_object().key("checked").null().key("damaged").begin_array().begin_object();
    writer.key("handle").null().key("hash").null().member("problem", code.error().message);
    writer.end_object().end_array().end_object();
    terminal.out_line(std::move(writer).finish());
  }
  return kNegative;
}

void declare_archive_options(Arguments& arguments, ArchiveOptions& options) {
  arguments.record_used_options(options.used_options);
  arguments.positional("ACTION", options.action,
                       "ls: list answers; stats: count them; gc: remove expired ones;\n"
                       "verify: read all of them and compare their hashes");
  arguments.require("ACTION", "for example `enfold archive ls`");
  declare_archive_option(arguments, options.archive);
  arguments.text("--tool", "NAME", options.tool, "ls: answers of this tool only");
  arguments.number("--limit", options.limit, {"a number of answers", 1, 1'000'000},
                   "ls: maximum number of answers, latest first");
  arguments.flag("--json", options.as_json, "One JSON object; ls prints one per answer");
  arguments.footer(std::string(kArchivePlaces) +
                   "Exit code 2 when verify finds damage.\n\n"
                   "Examples:\n"
                   "  enfold archive ls\n"
                   "  enfold archive verify --archive redis://localhost --json");
}

}  // namespace

Run set_up_archive(Arguments& arguments) {
  return set_up(arguments, declare_archive_options, run_archive);
}

}  // namespace enfold::cli
