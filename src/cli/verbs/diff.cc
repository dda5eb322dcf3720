// SPDX-License-Identifier: Apache-2.0
// `enfold diff`: what is different between two answers, archived or in files.
#include "cli/input/input.h"
#include "cli/settings/archive_place.h"
#include "cli/terminal/terminal.h"
#include "cli/verbs/verbs.h"
#include "enfold/retrieve/compare/compare.h"
#include "enfold/retrieve/retrieve.h"
#include "enfold/token/tokenizer.h"
#include "enfold/tools/fetch_tool.h"

#include <filesystem>
#include <fmt/format.h>

namespace enfold::cli {
namespace {

using retrieve::ListChange;
using retrieve::RecordChange;
using retrieve::ValueChange;

struct DiffOptions {
  std::vector<std::string> answers;  ///< files, handles or hashes; must be two
  std::size_t budget = 4000;         ///< tokens of the shown differences, in o200k_base
  bool as_json = false;
  std::string archive;  ///< empty: the default archive
  InputOptions input;   ///< only its limits are used
};

bool is_file(const std::string& name) {
  std::error_code error;
  return name == "-" || std::filesystem::exists(name, error);
}

Result<json::Value> read_archived(const std::string& reference, const DiffOptions& options) {
  ENFOLD_TRY(const ArchivePlace place, archive_place(options.archive));
  ENFOLD_TRY(const ArchivePointer archive, open_existing(place));
  ENFOLD_TRY(const store::Entry entry, tools::find_entry(*archive, kPrincipal, reference, now()));
  ENFOLD_TRY(const std::string bytes, archive->get(kPrincipal, entry.handle, now()));
  return retrieve::payload_of(bytes, entry.meta.media_type, Limits{.max_bytes = kLargestDocument});
}

Result<json::Value> read_answer(const std::string& name, const DiffOptions& options) {
  if (!is_file(name)) {
    Result<json::Value> archived = read_archived(name, options);
    if (archived || archived.error().code != ErrorCode::not_found) return archived;
    return fail(ErrorCode::not_found,
                "expected a file or the handle of an archived answer, found neither", {},
                "`enfold archive ls` lists the handles");
  }
  ENFOLD_TRY(const json::Buffer bytes, read_all(name, options.input.limits));
  return retrieve::payload_of(bytes.view(), {}, options.input.limits);
}

std::string changed_value(const ValueChange& value) {
  return printable(fmt::format("{} {} -> {}", value.place,
                               value.before.empty() ? "(none)" : value.before,
                               value.after.empty() ? "(none)" : value.after));
}

char sign_of(RecordChange::Kind kind) {
  switch (kind) {
    case RecordChange::Kind::added: return '+';
    case RecordChange::Kind::removed: return '-';
    case RecordChange::Kind::changed: return '~';
  }
  return '~';
}

// The record, and below it its changed values.
std::string lines_of(const RecordChange& record) {
  std::string line = printable(fmt::format("{} {}", sign_of(record.kind), record.id));
  for (const ValueChange& value : record.values)
    line += fmt::format("\n    {}", changed_value(value));
  return line;
}

std::string summary_of(const ListChange& list) {
  return printable(fmt::format("{}{}: {} added, {} removed, {} changed, {} the same",
                               list.pointer.empty() ? "records" : list.pointer,
                               list.by.empty() ? "" : " by " + list.by, list.added, list.removed,
                               list.changed, list.same));
}

/// Decides which differences are shown, in order: those before the first that does not fit into the
/// tokens. Counts the others.
class Room {
 public:
  explicit Room(std::size_t tokens) : left_(tokens) {}
  /// Whether the difference with this text is shown.
  bool take(std::string_view text) {
    const std::size_t tokens = token::o200k_base().count(text) + 1;  // 1 for the line end
    const bool fits = tokens <= left_;
    fits ? left_ -= tokens : left_ = 0;
    if (!fits) ++left_out_;
    return fits;
  }
  [[nodiscard]] std::size_t left_out() const { return left_out_; }

 private:
  std::size_t left_;          ///< tokens
  std::size_t left_out_ = 0;  ///< differences that are not shown
};

/// How two answers differ.
struct Difference {
  retrieve::AnswerChange change;
  /// The answers differ only in what `change` does not have: the order of records, or text around
  /// them.
  bool only_order = false;

  [[nodiscard]] bool any() const { return only_order || change.any(); }
};

Difference compare(const json::Value& before, const json::Value& after) {
  Difference difference{retrieve::compare_answers(before, after)};
  difference.only_order = !difference.change.any() && !json::equal(before.view(), after.view());
  return difference;
}

void print(const Difference& difference, std::size_t budget, Terminal& terminal) {
  const retrieve::AnswerChange& change = difference.change;
  Room room(budget);
  const auto show = [&](const std::string& text) {
    if (room.take(text)) terminal.out(text + "\n");
  };
  for (const ListChange& list : change.lists) {
    show(summary_of(list));
    for (const RecordChange& record : list.records) show(lines_of(record));
  }
  for (const ValueChange& value : change.values) show("~ " + changed_value(value));
  if (difference.only_order)
    terminal.out("the records are the same; their order or the text around them differs\n");
  if (room.left_out() > 0) {
    terminal.out(fmt::format("{} more differences; --budget shows more\n", room.left_out()));
  }
}

void write_value(const ValueChange& value, json::Writer& writer) {
  writer.begin_object().member("place", value.place);
  if (!value.before.empty()) writer.member("before", value.before);
  if (!value.after.empty()) writer.member("after", value.after);
  writer.end_object();
}

void write_record(const RecordChange& record, json::Writer& writer) {
  writer.begin_object().member("id", record.id);
  writer.member("change", record.kind == RecordChange::Kind::added     ? "added"
                          : record.kind == RecordChange::Kind::removed ? "removed"
                                                                       : "changed");
  if (!record.values.empty()) {
    writer.key("values").begin_array();
    for (const ValueChange& value : record.values) write_value(value, writer);
    writer.end_array();
  }
  writer.end_object();
}

json::Value as_json(const Difference& difference, std::size_t budget) {
  const retrieve::AnswerChange& change = difference.change;
  Room room(budget);
  json::Writer writer;
  writer.begin_object().key("lists").begin_array();
  for (const ListChange& list : change.lists) {
    writer.begin_object().member("pointer", list.pointer).member("by", list.by);
    writer.member("added", list.added).member("removed", list.removed);
    writer.member("changed", list.changed).member("same", list.same);
    writer.key("records").begin_array();
    for (const RecordChange& record : list.records) {
      if (room.take(lines_of(record))) write_record(record, writer);
    }
    writer.end_array().end_object();
  }
  writer.end_array().key("values").begin_array();
  for (const ValueChange& value : change.values) {
    if (room.take(changed_value(value))) write_value(value, writer);
  }
  writer.end_array().member("only_order", difference.only_order);
  writer.member("left_out", room.left_out());
  return std::move(writer.end_object()).finish_value();
}

int run_diff(const DiffOptions& options, Terminal& terminal) {
  if (options.answers.size() != 2) {
    return terminal.report_usage(
        {ErrorCode::invalid_input,
         fmt::format("expected two answers, found {}", options.answers.size()), "",
         "enfold diff OLD NEW, each a file or a handle"});
  }
  const Result<json::Value> before = read_answer(options.answers[0], options);
  if (!before) return terminal.report(before.error(), options.answers[0]);
  const Result<json::Value> after = read_answer(options.answers[1], options);
  if (!after) return terminal.report(after.error(), options.answers[1]);
  const Difference difference = compare(*before, *after);
  if (options.as_json) {
    terminal.out_line(json::to_text(as_json(difference, options.budget).view()));
  } else {
    print(difference, options.budget, terminal);
  }
  return difference.any() ? kNegative : kOk;
}

void declare_diff_options(Arguments& arguments, DiffOptions& options) {
  arguments.positional("ANSWER", options.answers,
                       "Two answers: files, handles or hashes of archived answers");
  arguments.number("--budget", options.budget, {"a number of tokens", 16, 1'000'000},
                   "Maximum tokens of the differences that are shown. Default: 4000");
  arguments.flag("--json", options.as_json, "Write the differences as JSON");
  declare_archive_option(arguments, options.archive);
  declare_max_bytes_options(arguments, options.input);
  arguments.footer(
      "Records are compared by the member that names them (id, key, number, name …), members of\n"
      "maps by their names, other records by their content. Lines of a text are records.\n"
      "Exit code 0: no difference, 2: there are differences, if only in the order.\n\n" +
      std::string(kArchivePlaces) +
      "Examples:\n"
      "  enfold diff monday.json tuesday.json\n"
      "  enfold diff 184467440737 answer.json --json");
}

}  // namespace

Run set_up_diff(Arguments& arguments) { return set_up(arguments, declare_diff_options, run_diff); }

}  // namespace enfold::cli
