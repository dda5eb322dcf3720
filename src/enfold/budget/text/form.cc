// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/text/form.h"

#include "enfold/budget/text/digest.h"
#include "enfold/budget/text/listing.h"
#include "enfold/budget/text/stamp.h"
#include "enfold/budget/text/tables.h"

namespace enfold::budget::text {
namespace {

// The text as JSON. nullopt: it is no object or list, such as "[1] a footnote" or a text in quotes.
std::optional<json::Value> json_document(std::string_view text) {
  const std::string_view inside = trimmed(text, " \t\r\n");
  if (inside.empty()) return std::nullopt;
  const bool may_be = (inside.front() == '{' && inside.back() == '}') ||
                      (inside.front() == '[' && inside.back() == ']');
  if (!may_be) return std::nullopt;
  auto document = json::parse(inside);
  return document ? std::optional(document->value()) : std::nullopt;
}

// Reads a table with one of the usual separators; false: the text is none.
bool read_separated(std::string_view text, GroupedDigits grouped, FormReading& reading) {
  for (const char separator : {'\t', ',', ';'}) {
    auto table = separated_values(text, separator, grouped);
    if (!table) continue;
    reading.form = separator == '\t' ? TextForm::tsv : TextForm::csv;
    reading.tables.push_back(std::move(*table));
    return true;
  }
  return false;
}

// The form, if the first lines are enough to tell it.
std::optional<TextForm> form_of(std::string_view text, const Sample& sample) {
  if (is_commits(sample)) return TextForm::commits;
  if (is_diff(text, sample)) return TextForm::diff;
  if (is_html(sample)) return TextForm::html;
  if (is_listing(sample)) return TextForm::tree;
  if (is_trace(sample)) return TextForm::stack_trace;
  return std::nullopt;
}

}  // namespace

std::string_view name(TextForm form) {
  switch (form) {
    case TextForm::text: return "text";
    case TextForm::log: return "log";
    case TextForm::diff: return "diff";
    case TextForm::commits: return "commits";
    case TextForm::source: return "source";
    case TextForm::html: return "html";
    case TextForm::markdown: return "markdown";
    case TextForm::csv: return "csv";
    case TextForm::tsv: return "tsv";
    case TextForm::markdown_table: return "markdown_table";
    case TextForm::json_lines: return "json_lines";
    case TextForm::json: return "json";
    case TextForm::tree: return "tree";
    case TextForm::stack_trace: return "stack_trace";
    case TextForm::key_value: return "key_value";
    case TextForm::base64: return "base64";
    case TextForm::binary: return "binary";
  }
  return "text";
}

FormReading read_form(std::string_view text, GroupedDigits grouped) {
  FormReading reading;
  if (is_binary(text)) return {.form = TextForm::binary};
  if (is_base64(text)) return {.form = TextForm::base64};
  reading.document = json_document(text);
  if (reading.document) {
    reading.form = TextForm::json;
    return reading;
  }
  if (auto table = json_lines(text)) {
    reading.form = TextForm::json_lines;
    reading.tables.push_back(std::move(*table));
    return reading;
  }
  const Sample sample = sample_of(text);
  if (sample.lines.size() < 2) {
    if (is_html(sample)) reading.form = TextForm::html;
    return reading;
  }
  if (const auto form = form_of(text, sample)) {
    reading.form = *form;
    return reading;
  }
  BarredTables barred = barred_tables(text, grouped);
  const bool mostly_table = !barred.tables.empty() && barred.lines * 4 >= count_lines(text) * 3;
  reading.tables = std::move(barred.tables);
  if (mostly_table) {
    reading.form = TextForm::markdown_table;
  } else if (reading.tables.empty() && read_separated(text, grouped, reading)) {
    return reading;
  } else if (is_log(sample)) {
    reading.form = TextForm::log;
  } else if (is_source(sample)) {
    reading.form = TextForm::source;
  } else if (is_markdown(text)) {
    reading.form = TextForm::markdown;
  } else if (is_key_values(sample)) {
    reading.form = TextForm::key_value;
  }
  return reading;
}

}  // namespace enfold::budget::text
