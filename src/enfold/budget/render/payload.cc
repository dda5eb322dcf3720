// SPDX-License-Identifier: Apache-2.0
// Writes the payload of a plan: what is shown, with marks where something is missing.
#include "enfold/budget/render/clip.h"
#include "enfold/budget/render/render.h"
#include "enfold/model/marks.h"

#include <fmt/core.h>

namespace enfold::budget::detail {
namespace {

using json::Writer;

constexpr std::size_t kMostStructureLines = 8;   // containers that a summary describes
constexpr std::size_t kLongestDescription = 72;  // bytes of one of these lines
constexpr std::size_t kLongestPlace = 64;        // bytes of its pointer
constexpr int kMarkTokens = 7;                   // of a mark and the comma before it, estimated

class PayloadWriter {
 public:
  PayloadWriter(const Outline& outline, Form form, bool has_schema)
      : outline_(outline), form_(form), has_schema_(has_schema) {}

  void write(Writer& writer) {
    if (form_ == Form::data) {
      write_root(writer);
      return;
    }
    if (!has_schema_) {
      write_mark(writer);
      return;
    }
    writer.begin_object();
    if (form_ == Form::sample || form_ == Form::summary) {
      writer.key("summary");
      write_structure(writer);
    }
    if (form_ == Form::sample) {
      writer.key("sample");
      write_root(writer);
    }
    writer.end_object();
  }

 private:
  // A payload of the same type that shows nothing: only a mark that counts what is missing.
  void write_mark(Writer& writer) {
    const json::View payload = outline_.payload;
    switch (payload.kind()) {
      case json::Kind::array:
        writer.begin_array();
        write_items_mark(writer, payload.size());
        writer.end_array();
        return;
      case json::Kind::object:
        writer.begin_object();
        if (payload.size() > 0) writer.member("…", model::members_mark(payload.size()));
        writer.end_object();
        return;
      case json::Kind::string:
        writer.string(fmt::format("…[+{} bytes]", decoded_size(payload.string_source())));
        return;
      default: writer.begin_object().end_object();  // only a number can be longer than the budget
    }
  }

  void write_root(Writer& writer) {
    if (outline_.groups.empty()) {
      write_unit(writer, outline_.units[0]);
    } else {
      write_group(writer, outline_.groups[0]);
    }
  }

  static void write_unit(Writer& writer, const Unit& unit) {
    if (unit.shown == Detail::brief) {
      splice_text(writer, *unit.brief);
    } else {
      writer.value(unit.value);
    }
  }

  void write_group(Writer& writer, const Group& group) {
    if (group.columnar) {
      write_table(writer, group);
      return;
    }
    group.value.is_object() ? write_members(writer, group) : write_items(writer, group);
  }

  void write_child(Writer& writer, const Child& child) {
    if (child.is_group) {
      write_group(writer, outline_.groups[child.index]);
    } else {
      write_unit(writer, outline_.units[child.index]);
    }
  }

  void write_members(Writer& writer, const Group& group) {
    writer.begin_object();
    std::size_t shown = 0;
    for (const Child& child : group.children) {
      if (!outline_.is_shown(child)) continue;
      writer.key(child.is_group ? outline_.groups[child.index].key
                                : outline_.units[child.index].key);
      write_child(writer, child);
      ++shown;
    }
    if (shown < group.count && group.constraint.may_mark_members()) {
      writer.member("…", model::members_mark(group.count - shown));
    }
    writer.end_object();
  }

  void write_items(Writer& writer, const Group& group) {
    writer.begin_array();
    const bool marked = group.constraint.may_mark_items();
    std::size_t next = 0;  // the first position that is neither shown nor marked
    for (const Child& child : group.children) {
      if (!outline_.is_shown(child)) continue;
      if (marked) write_items_mark(writer, child.position - next);
      write_child(writer, child);
      next = child.position + 1;
    }
    if (marked) write_items_mark(writer, group.count - next);
    writer.end_array();
  }

  // Nothing if no item is missing.
  static void write_items_mark(Writer& writer, std::size_t missing) {
    if (missing > 0) writer.string(model::items_mark(missing));
  }

  void write_table(Writer& writer, const Group& group) {
    writer.begin_object().key("cols").begin_array();
    for (const std::uint32_t i : group.survey->columns) writer.value(group.survey->fields[i].key);
    writer.end_array().key("rows").begin_array();
    std::size_t next = 0;
    for (const Child& child : group.children) {
      if (!outline_.is_shown(child)) continue;
      write_items_mark(writer, child.position - next);
      writer.begin_array();
      for (const auto& [key, value] : outline_.units[child.index].value.members())
        writer.value(value);
      writer.end_array();
      next = child.position + 1;
    }
    write_items_mark(writer, group.count - next);
    writer.end_array().end_object();
  }

  // Writes a member for each container: "/items": "array of 500: id, number, title …". A payload
  // without containers is described by its bytes. Ends at the first long pointer.
  void write_structure(Writer& writer) {
    writer.begin_object();
    std::size_t lines = 0;
    for (const Group& group : outline_.groups) {
      if (lines++ == kMostStructureLines) break;
      std::string text = fmt::format("{} of {}", json::name(group.value.kind()), group.count);
      std::vector<std::string> names;
      if (group.survey) {
        for (const std::uint32_t i : group.survey->columns)
          names.push_back(group.survey->fields[i].key.string());
      } else if (group.value.is_object()) {
        for (const Child& child : group.children) {
          names.push_back(
              (child.is_group ? outline_.groups[child.index].key : outline_.units[child.index].key)
                  .string());
        }
      }
      const char* separator = ": ";
      for (const std::string& name : names) {
        if (text.size() + name.size() > kLongestDescription) {
          text += " …";
          break;
        }
        text += separator + name;
        separator = ", ";
      }
      writer.member(group.pointer.size() <= kLongestPlace ? group.pointer : "…", text);
      if (group.pointer.size() > kLongestPlace) break;
    }
    if (outline_.groups.empty()) {
      writer.member("", fmt::format("{} of {} bytes", json::name(outline_.payload.kind()),
                                    outline_.payload.is_string()
                                        ? decoded_size(outline_.payload.string_source())
                                        : outline_.payload.raw().size()));
    }
    writer.end_object();
  }

  const Outline& outline_;
  Form form_;
  bool has_schema_;
};

}  // namespace

void write_payload(Writer& writer, const Outline& outline, Form form, bool has_schema) {
  PayloadWriter(outline, form, has_schema).write(writer);
}

std::int64_t mark_tokens(const Plan& plan) {
  std::int64_t marks = 0;
  for (const Group& group : plan.outline().groups) {
    if (!group.is_visible()) continue;
    if (group.value.is_object()) {
      marks += group.constraint.may_mark_members() ? 1 : 0;
      continue;
    }
    if (!group.constraint.may_mark_items()) continue;
    std::size_t next = 0;
    for (const Child& child : group.children) {
      if (!plan.outline().is_shown(child)) continue;
      marks += child.position > next ? 1 : 0;
      next = child.position + 1;
    }
    marks += next < group.count ? 1 : 0;
  }
  return marks * kMarkTokens;
}

}  // namespace enfold::budget::detail
