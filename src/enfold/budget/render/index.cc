// SPDX-License-Identifier: Apache-2.0
// Writes the index of a plan: the chosen rows for records, members and lines that are not shown.
#include "enfold/budget/render/clip.h"
#include "enfold/budget/render/render.h"
#include "enfold/model/marks.h"

#include <algorithm>
#include <fmt/core.h>
#include <numeric>

namespace enfold::budget::detail {
namespace {

using json::Writer;

// Writes the columns and rows of a text, and in `more` how many further lines would be rows.
void write_text_rows(Writer& writer, const Text& text) {
  writer.key("cols").begin_array().string("line");
  for (const std::string& column : text.digest.columns) writer.string(column);
  writer.end_array().key("rows").begin_array();
  const std::vector<text::Row>& rows = text.digest.rows;
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (text.digest.in_order) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rows[a].line < rows[b].line; });
  }
  for (const std::size_t i : order) {
    if (text.row_shown[i] != 0) splice_text(writer, line_row(rows[i]));
  }
  writer.end_array();
  // The last lines of a text are rows only because of their place, so they do not count.
  const auto end = text.row_shown.end() - static_cast<std::ptrdiff_t>(text.digest.tail_rows);
  const auto absent = std::count(text.row_shown.begin(), end, 0);
  const std::size_t more = text.digest.left_out + static_cast<std::size_t>(absent);
  if (more > 0) writer.member("more", more);
}

class IndexWriter {
 public:
  explicit IndexWriter(const Outline& outline) : outline_(outline) {}

  std::optional<json::Value> write() {
    Writer writer;
    writer.begin_object();
    bool any = false;
    for (const Group& group : outline_.groups) {
      if (group.rows == 0) continue;
      any = true;
      writer.key(group.pointer);
      if (group.value.is_object()) {
        write_rows(writer.begin_array(), group);
        if (const std::size_t more = without_row(group); more > 0) {
          writer.string(fmt::format("…[{}]", model::members_mark(more)));  // "…[+3 members]"
        }
        writer.end_array();
        continue;
      }
      writer.begin_object().key("cols").begin_array();
      const Survey& survey = *group.survey;
      // The first column has the id of each record, or its position if the records have no id.
      writer.string(survey.id ? survey.fields[*survey.id].path : "#");
      if (survey.label) writer.string(survey.fields[*survey.label].path);
      writer.end_array();
      if (survey.id) writer.member("at", positions_of_rows(group));
      write_rows(writer.key("rows").begin_array(), group);
      writer.end_array();
      if (const std::size_t more = without_row(group); more > 0) {
        writer.member("more", static_cast<std::int64_t>(more));
      }
      writer.end_object();
    }
    for (const Text& text : outline_.texts) {
      const Unit& unit = outline_.units[text.unit];
      if (text.rows == 0 || unit.shown == Detail::whole) continue;
      any = true;
      writer.key(outline_.pointer(unit)).begin_object();
      write_text_rows(writer, text);
      writer.end_object();
    }
    writer.end_object();
    if (!any) return std::nullopt;
    return std::move(writer).finish_value();
  }

 private:
  // Positions of the records that have a row: "3..17,21".
  [[nodiscard]] std::string positions_of_rows(const Group& group) const {
    std::string text;
    std::uint32_t first = 0;
    std::uint32_t end = 0;  // one past the last position of the range from `first`; 0: none yet
    const auto add_range = [&] {
      if (end == 0) return;
      if (!text.empty()) text += ',';
      text += first + 1 == end ? fmt::format("{}", first) : fmt::format("{}..{}", first, end - 1);
    };
    for (const Child& child : group.children) {
      if (child.is_group || outline_.units[child.index].shown != Detail::index_row) continue;
      if (child.position != end || end == 0) {
        add_range();
        first = child.position;
      }
      end = child.position + 1;
    }
    add_range();
    return text;
  }

  // How many children are neither shown nor have a row.
  [[nodiscard]] std::size_t without_row(const Group& group) const {
    std::size_t shown = group.rows;
    for (const Child& child : group.children) shown += outline_.is_shown(child) ? 1 : 0;
    return group.count - shown;
  }

  void write_rows(Writer& writer, const Group& group) {
    for (const Child& child : group.children) {
      if (child.is_group || outline_.units[child.index].shown != Detail::index_row) continue;
      splice_text(writer, *outline_.units[child.index].row);
    }
  }

  const Outline& outline_;
};

}  // namespace

std::optional<json::Value> write_index(const Outline& outline) {
  return IndexWriter(outline).write();
}

}  // namespace enfold::budget::detail
