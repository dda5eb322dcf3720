// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/tables/answer_parts.h"

#include "enfold/budget/text/form.h"
#include "enfold/budget/text/listing.h"
#include "enfold/contract/reading/unwrap.h"
#include "enfold/json/pointer.h"
#include "enfold/model/content.h"

namespace enfold::retrieve {
namespace {

bool are_content_blocks(json::View payload) {
  if (!payload.is_array()) return false;
  bool any_text = false;
  for (const json::View block : payload.items()) {
    const std::string type = json::string_member(block, "type").value_or("");
    const bool is_text = model::text_of(block).has_value();
    // Archived payloads describe binary blocks by size and hash.
    const bool is_other = type == "image" || type == "audio" || type.starts_with("resource");
    if (!is_text && !is_other) return false;
    any_text = any_text || is_text;
  }
  return any_text;
}

class PartFinder {
 public:
  enum class Where { in_answer, in_text };

  explicit PartFinder(const Limits& limits) : limits_(limits) {}

  void add_document(const json::Value& root, const std::string& pointer, std::string name,
                    Where where) {
    parts_.push_back({.value = root,
                      .pointer = pointer,
                      .name = std::move(name),
                      .is_in_text = where == Where::in_text});
    for (const json::Member& member : root->members()) {
      if (!member.value.is_string()) continue;
      const std::string_view source = member.value.string_source();
      const bool holds_more = source.find("\\n") != std::string_view::npos ||
                              source.starts_with('{') || source.starts_with('[');
      const std::string key = member.key.string();
      if (holds_more && offset_of_last(root.view(), key) == member.value.offset()) {
        add_text(member.value, json::below(pointer, key), key);
      }
    }
  }

  // Adds the JSON or the tables inside a text, and in any case its lines.
  void add_text(json::View text, const std::string& pointer, const std::string& name) {
    if (auto inside = contract::detail::json_in_text(text, limits_)) {
      if (inside->data->is_container()) {
        add_document(inside->data, pointer, inside->is_lines ? "rows" : name, Where::in_text);
      }
    } else {
      const std::string decoded = text.string();
      const budget::text::FormReading reading = budget::text::read_form(decoded);
      for (const budget::text::TextTable& table : reading.tables) {
        add_document(table.records, pointer, "rows", Where::in_text);
      }
      if (reading.form == budget::text::TextForm::tree) {
        const budget::text::Listing files = budget::text::read_listing(decoded);
        if (!files.files.empty()) {
          add_document(budget::text::records_of(files), pointer, "files", Where::in_text);
        }
      }
    }
    parts_.push_back(
        {.value = json::Value(text), .pointer = pointer, .name = "lines", .is_text = true});
  }

  [[nodiscard]] std::vector<AnswerPart> finish() && { return std::move(parts_); }

 private:
  // Of members with the same name only the last counts.
  static std::size_t offset_of_last(json::View object, const std::string& key) {
    const auto found = object.find(key);
    return found ? found->offset() : 0;
  }

  const Limits& limits_;
  std::vector<AnswerPart> parts_;
};

}  // namespace

std::vector<AnswerPart> parts_of(const json::Value& payload, const Limits& limits,
                                 const std::string& pointer) {
  PartFinder finder(limits);
  if (payload->is_string()) {
    finder.add_text(payload.view(), pointer, "items");
  } else if (are_content_blocks(payload.view())) {
    std::size_t index = 0;
    for (const json::View block : payload->items()) {
      const std::string place = json::below(json::below(pointer, std::to_string(index++)), "text");
      if (const auto text = model::text_of(block)) finder.add_text(*text, place, "items");
    }
    finder.add_document(payload, pointer, "blocks", PartFinder::Where::in_answer);
  } else {
    finder.add_document(payload, pointer, "items", PartFinder::Where::in_answer);
  }
  return std::move(finder).finish();
}

}  // namespace enfold::retrieve
