// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"
#include "enfold/json/write.h"
#include "enfold/retrieve/tables/tables.h"

#include <algorithm>

namespace enfold::retrieve {
namespace {

constexpr std::size_t kLongestSample = 40;     // bytes
constexpr std::size_t kRowsForSamples = 1000;  // samples are taken from the first rows

/// Up to two different values of a column.
std::vector<std::string> samples_of(const Column& column, const Rows& rows) {
  constexpr std::size_t most = 2;
  std::vector<std::string> samples;
  for (std::size_t row = 0; row < std::min(rows.size(), kRowsForSamples); ++row) {
    const json::View value = value_in(column, rows.value(row));
    if (value.is_null()) continue;
    std::string text = value.is_string() ? value.string() : json::to_text(value);
    text = utf8::shortened(text, kLongestSample);
    if (samples.empty() || samples.back() != text) samples.push_back(std::move(text));
    if (samples.size() == most) break;
  }
  return samples;
}

void write_column(json::Writer& writer, const Column& column, const Rows& rows) {
  writer.begin_object().member("name", column.name).member("type", name(column.type));
  const bool has_samples =
      column.source == Column::Source::path || column.source == Column::Source::cell;
  if (has_samples) writer.member("values", samples_of(column, rows));
  writer.end_object();
}

// Whether the description shows the column. It leaves out the columns that Enfold adds to every
// table (_i, _at, _json), and dotted names, which are second names of the same values.
bool is_listed(const Column& column) {
  const bool is_own = column.is_hidden && column.source != Column::Source::path;
  return !is_own && (column.name.find('.') == std::string::npos || column.path.size() < 2);
}

}  // namespace

json::Value describe_tables(const Tables& tables) {
  json::Writer writer;
  writer.begin_array();
  for (std::size_t i = 0; i < tables.tables.size(); ++i) {
    const Table& table = tables.tables[i];
    const Rows rows(tables, i);
    writer.begin_object().member("table", table.name).member("rows", table.count);
    if (!table.other_names.empty()) writer.member("also", table.other_names);
    writer.key("columns").begin_array();
    for (const Column& column : table.columns) {
      if (is_listed(column)) write_column(writer, column, rows);
    }
    writer.end_array().end_object();
  }
  return std::move(writer.end_array()).finish_value();
}

}  // namespace enfold::retrieve
