// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/envelopes/generic_form.h"

#include "enfold/contract/envelopes/members.h"
#include "enfold/contract/reading/pages/paging.h"
#include "enfold/contract/reading/shape.h"
#include "enfold/contract/reading/texts/csv_rows.h"
#include "enfold/contract/reading/unwrap.h"
#include "enfold/json/pointer.h"
#include "enfold/model/marks.h"

#include <set>

namespace enfold::contract::detail {
namespace {

using model::Response;
using model::Shape;

std::string pointer_to(const std::vector<std::string>& path) {
  std::string pointer;
  for (const std::string& name : path) pointer = json::below(pointer, name);
  return pointer;
}

// The members of `object`, at any depth, without the value at `path` and without the values whose
// offsets in the document are in `used`; nullopt: nothing is left. `depth`: the number of names of
// `path` that lead to `object`.
std::optional<json::Value> remaining(json::View object, const std::set<std::uint32_t>& used,
                                     const std::vector<std::string>& path, std::size_t depth = 0) {
  json::Writer writer;
  writer.begin_object();
  bool any = false;
  for (const json::Member& member : object.members()) {
    if (used.contains(member.value.offset())) continue;
    const bool on_path = depth < path.size() && member.key.equals(path[depth]);
    if (on_path && depth + 1 == path.size()) continue;
    const bool inside = on_path || (member.value.is_object() && member.value.size() != 0);
    const auto left =
        inside ? remaining(member.value, used, on_path ? path : std::vector<std::string>(),
                           on_path ? depth + 1 : 0)
               : json::Value(member.value);
    if (!left) continue;
    writer.key(member.key).value(*left);
    any = true;
  }
  writer.end_object();
  return any ? std::optional(std::move(writer).finish_value()) : std::nullopt;
}

// The transform of the form, which is created if there is none yet.
DataTransform& transform_of(GenericForm& form) {
  if (!form.transform) form.transform.emplace();
  return *form.transform;
}

// Puts the payload into a list of one item.
void box(GenericForm& form) {
  json::Writer writer;
  writer.begin_array().value(*form.response.payload).end_array();
  form.response.payload = std::move(writer).finish_value();
  transform_of(form).boxed = true;
}

// Puts a payload that is no object into an object with one member.
void wrap(GenericForm& form) {
  const model::Wrapping wrapping = wrapping_of(form.response);
  if (wrapping == model::Wrapping::none) return;
  json::Writer writer;
  write_payload_as_object(writer, form.response);
  form.response.payload = std::move(writer).finish_value();
  transform_of(form).wrapped = model::name(wrapping);
}

// The value at `path` becomes `data`; the members beside it become metadata, without those whose
// offsets are in `used`: they were read into the page or the message.
void extract(const InnerData& inner, const std::vector<std::string>& path,
             std::set<std::uint32_t> used, GenericForm& form) {
  Response& response = form.response;
  const json::View value = at_path(inner.data.view(), path);
  std::vector<std::string> whole_path = inner.path;
  whole_path.insert(whole_path.end(), path.begin(), path.end());
  if (!inner.is_in_payload) {
    transform_of(form).original = *response.payload;
  } else if (!whole_path.empty()) {
    transform_of(form).at = pointer_to(whole_path);
  }
  if (!path.empty()) {
    response.metadata = joined_members(remaining(inner.data.view(), used, path), response.metadata);
  }
  if (!inner.others.empty()) {
    json::Writer writer;
    writer.begin_object().key("content").begin_array();
    for (const json::Value& block : inner.others) writer.value(block);
    writer.end_array().end_object();
    response.metadata = joined_members(response.metadata, std::move(writer).finish_value());
  }
  json::Value extracted(value);
  response.payload = std::move(extracted);
  response.wrapping = inner.is_text ? model::Wrapping::text : model::Wrapping::none;
}

// Copies the text for people into the message of the response, unless that is set: `message` of an
// object, or a text that the tool gave in place of a list. Adds its offset to `used`.
void take_message(json::View data, std::set<std::uint32_t>& used, Response& response) {
  const auto message = data.is_string() ? std::optional(data) : data.find("message");
  if (!response.message.empty() || !message || !message->is_string()) return;
  if (message->string_source().empty()) return;
  response.message = message->string();
  used.insert(message->offset());
}

// For a list without items: `data` becomes [].
void show_empty_list(GenericForm& form) {
  transform_of(form).original = *form.response.payload;
  form.response.payload = json::parse_own("[]");
  if (!form.response.page) form.response.page.emplace();
  form.response.page->returned = model::Number::of(0);
}

// For the shapes list and tool_catalog. `is_part`: the response holds only a part of the answer.
void show_list(const ShapeReading& shape, const InnerData& inner, bool is_part, GenericForm& form) {
  const json::Value kept = inner.data;  // `form` may hold the only other reference
  std::set<std::uint32_t> used;
  form.has_paging = form.response.page.has_value();
  if (!form.response.page || is_part) {
    PageReading page = page_of(kept.view(), shape.path);
    form.has_paging = form.has_paging || page.has_marks;
    // A page of the response is kept: members of the tool describe the whole list, not this part.
    if (!form.response.page) form.response.page = std::move(page.page);
    used = std::move(page.used);
    form.page_reason = std::move(page.reason);
  }
  if (shape.is_empty_list) {
    take_message(kept.view(), used, form.response);
    return show_empty_list(form);
  }
  if (!shape.path.empty()) take_message(kept.view(), used, form.response);
  extract(inner, shape.path, std::move(used), form);
  if (!form.response.payload->view().is_array()) box(form);
  const json::View list = form.response.payload->view();
  const std::size_t returned = is_part ? model::count_items(list) : list.size();
  form.response.page->returned = model::Number::of(static_cast<std::int64_t>(returned));
}

// For the shapes single and action.
void show_thing(const ShapeReading& shape, const InnerData& inner, GenericForm& form) {
  const json::Value kept = inner.data;  // `form` may hold the only other reference
  std::set<std::uint32_t> used;
  if (shape.shape == Shape::action && form.response.message.empty()) {
    const json::View data = kept.view();
    form.response.message = inner.is_text && data.is_string()
                                ? data.string()
                                : json::string_member(data, "message").value_or("");
  }
  extract(inner, shape.path, std::move(used), form);
  wrap(form);
}

// The answer of a tool that lists or queries may be a text with a table: its rows become the data.
void read_table(InnerData& inner, std::string_view tool) {
  if (!inner.is_text || !inner.data.view().is_string() || !answers_with_rows(tool)) return;
  auto rows = csv_rows(inner.data.view().string());
  if (!rows) return;
  inner.data = std::move(*rows);
  inner.is_text = inner.is_in_payload = false;
  inner.path.clear();
}

// The shape that a generic envelope states, else the shape that is read from the data.
ShapeReading shape_of_response(const Response& response, json::View data) {
  ShapeReading shape = shape_of(data, response.tool.id);
  if (!response.shape || *response.shape == Shape::error || *response.shape == shape.shape) {
    return shape;
  }
  const bool list = *response.shape == Shape::list || *response.shape == Shape::tool_catalog;
  return {*response.shape, list ? list_in(data, response.tool.id) : std::vector<std::string>(),
          /*is_empty_list=*/false, "the answer names its shape"};
}

// For a part of a list that shows no record: `data` becomes [], and what is shown instead, such as
// a summary, becomes metadata.
void show_list_without_records(GenericForm& form) {
  Response& response = form.response;
  json::Writer writer;
  write_payload_as_object(writer, response);
  response.metadata = joined_members(std::move(writer).finish_value(), response.metadata);
  show_empty_list(form);
}

bool is_list(Shape shape) { return shape == Shape::list || shape == Shape::tool_catalog; }

// For a part of an answer: the shape is that of the whole answer.
void show_part(const WholeForm& whole, GenericForm& form) {
  Response& response = form.response;
  form.shape = whole.shape;
  if (!response.payload) return;
  const bool is_content = response.wrapping == model::Wrapping::content;
  if (!is_list(whole.shape)) {
    const InnerData inner = inner_data(response, Limits{.max_bytes = kLargestDocument});
    ShapeReading shape = shape_of(inner.data.view(), response.tool.id);
    if (shape.shape != whole.shape) shape = {.shape = whole.shape, .path = {}, .reason = {}};
    return is_content ? wrap(form) : show_thing(shape, inner, form);
  }
  const auto pointer = json::Pointer::parse(whole.list.value_or(""));
  const auto list =
      whole.list && pointer ? pointer->resolve(response.payload->view()) : std::nullopt;
  if (!list || !list->is_array() || is_content) return show_list_without_records(form);
  const InnerData inner{.data = *response.payload, .path = {}, .others = {}};
  const ShapeReading shape{
      .shape = whole.shape, .path = pointer->tokens(), .is_empty_list = false, .reason = {}};
  show_list(shape, inner, /*is_part=*/true, form);
}

}  // namespace

WholeReading whole_of(const Response& response) {
  GenericForm form = to_generic_form(response);
  WholeReading out{.form = {.shape = form.shape, .list = {}}, .list = {}};
  const json::View payload = form.response.payload ? form.response.payload->view() : json::View();
  const DataTransform transform = form.transform.value_or(DataTransform{});
  if (is_list(form.shape) && payload.is_array() && !transform.boxed) {
    if (!transform.original) out.form.list = transform.at;
    out.list = ListReading{.items = *form.response.payload,
                           .page = form.response.page.value_or(model::Page{}),
                           .has_paging = form.has_paging};
  } else if (response.page && !response.failure && response.payload) {
    // The envelope states a page, so the list in its data is what the answer is about, even if the
    // members beside it give the answer another shape.
    const auto path = list_in(response.payload->view(), response.tool.id);
    const json::View list = at_path(response.payload->view(), path);
    if (!list.is_array()) return out;
    out.form.list = pointer_to(path);
    out.list = ListReading{.items = json::Value(list), .page = *response.page, .has_paging = true};
  }
  return out;
}

GenericForm to_generic_form(const Response& response, const std::optional<WholeForm>& whole) {
  GenericForm form{.shape = Shape::error, .response = response, .transform = {}};
  if (response.failure) {
    if (!response.payload) return form;
    if (response.failure->read_from_data && response.payload->view().is_object()) {
      form.response.metadata = joined_members(response.payload, response.metadata);
      form.response.payload.reset();
    } else if (!response.payload->view().is_array()) {
      wrap(form);
    }
    return form;
  }
  if (whole) {
    show_part(*whole, form);
    return form;
  }
  InnerData inner = inner_data(response, Limits{.max_bytes = kLargestDocument});
  read_table(inner, response.tool.id);
  // The list of content blocks is no list of the tool: its shape follows from the tool's name.
  const bool is_block_list = response.wrapping == model::Wrapping::content && inner.is_in_payload &&
                             inner.data.view().is_array();
  const ShapeReading shape = is_block_list ? shape_of(json::View(), response.tool.id)
                                           : shape_of_response(response, inner.data.view());
  form.shape = shape.shape;
  form.shape_reason = shape.reason;
  if (!response.payload) return form;
  if (is_block_list) {
    wrap(form);
  } else if (is_list(shape.shape)) {
    show_list(shape, inner, /*is_part=*/false, form);
  } else {
    show_thing(shape, inner, form);
  }
  return form;
}

void undo_transform(Response& response, const DataTransform& transform) {
  if (transform.original) response.payload = transform.original;
  if (!response.payload || transform.original) return;
  json::Value data = *response.payload;
  if (transform.boxed) data = json::Value(data->item(0).value_or(json::View()));
  if (!transform.wrapped.empty()) {
    data = json::Value(data->find(transform.wrapped).value_or(json::View()));
  }
  if (transform.rest) {
    json::Change change{.pointer = transform.at};
    change.before = json::Value();
    change.after = data;
    data = json::apply(transform.rest->view(), {change});
  }
  response.payload = std::move(data);
}

json::Value to_json(const DataTransform& transform) {
  json::Writer writer;
  writer.begin_object();
  if (transform.boxed) writer.member("boxed", true);
  if (!transform.wrapped.empty()) writer.member("wrapped", transform.wrapped);
  if (transform.rest) writer.member("at", transform.at).member("rest", *transform.rest);
  write_optional(writer, "original", transform.original);
  writer.end_object();
  return std::move(writer).finish_value();
}

std::optional<DataTransform> transform_from_json(json::View object) {
  DataTransform out{.boxed = boolean_at(object, "boxed").value_or(false),
                    .wrapped = json::string_member(object, "wrapped").value_or(""),
                    .at = json::string_member(object, "at").value_or(""),
                    .rest = value_at(object, "rest"),
                    .original = value_at(object, "original")};
  if (out.rest && (out.at.empty() || !json::Pointer::parse(out.at))) return std::nullopt;
  return out;
}

std::optional<json::Value> joined_members(const std::optional<json::Value>& object,
                                          const std::optional<json::Value>& extra) {
  if (!object || !extra) return object ? object : extra;
  std::set<std::string> taken;
  json::Writer writer;
  writer.begin_object();
  for (const json::Member& member : object->view().members()) {
    taken.insert(member.key.string());
    writer.key(member.key).value(member.value);
  }
  for (const json::Member& member : extra->view().members()) {
    std::string key = member.key.string();
    while (!taken.insert(key).second) key += '_';
    writer.key(key).value(member.value);
  }
  writer.end_object();
  return std::move(writer).finish_value();
}

}  // namespace enfold::contract::detail
