// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/envelopes/members.h"

#include "enfold/contract/contract.h"
#include "enfold/contract/cursors/continuation.h"
#include "enfold/contract/errors/error_codes.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::contract::detail {

using model::Wrapping;
namespace {

constexpr std::string_view kFidelityVersion = "1.0";
constexpr SlotParts kInFlatSlot{.fidelity = true, .page = true};

// "sha256:" and 64 hexadecimal digits, or fewer digits and three dots.
bool is_hash(std::string_view text) {
  constexpr std::string_view prefix = "sha256:";
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  const bool cut = text.ends_with("...");
  if (cut) text.remove_suffix(3);
  const bool hex = text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  return hex && (cut ? !text.empty() && text.size() < 64 : text.size() == 64);
}

}  // namespace

std::optional<bool> boolean_at(json::View object, std::string_view key) {
  const auto found = member_if(object, key, &json::View::is_boolean);
  return found ? std::optional(found->boolean()) : std::nullopt;
}

std::optional<model::Number> number_at(json::View object, std::string_view key) {
  const auto found = member_if(object, key, &json::View::is_number);
  return found ? std::optional(model::Number{std::string(found->number())}) : std::nullopt;
}

std::optional<json::Value> value_at(json::View object, std::string_view key) {
  const auto found = object.find(key);
  return found ? std::optional(json::Value(*found)) : std::nullopt;
}

std::vector<std::string> strings_at(json::View object, std::string_view key) {
  std::vector<std::string> texts;
  if (const auto array = array_at(object, key)) {
    for (const json::View item : array->items()) {
      if (item.is_string()) texts.push_back(item.string());
    }
  }
  return texts;
}

std::optional<model::Number> valid_count(const std::optional<model::Number>& number,
                                         std::uint64_t least) {
  if (!number) return std::nullopt;
  const auto count = json::Number(number->text).to_unsigned();
  return count && *count >= least ? number : std::nullopt;
}

bool ReservedNames::contains(std::string_view key) const {
  return std::find(names_.begin(), names_.end(), key) != names_.end();
}

bool ReservedNames::is_collision(std::string_view key) const {
  while (!contains(key)) {
    if (!key.ends_with('_')) return false;
    key.remove_suffix(1);
  }
  return true;
}

void write_payload_members(json::Writer& writer, json::View object, const ReservedNames& reserved) {
  for (const json::Member& member : object.members()) {
    const std::string key = member.key.string();
    if (reserved.is_collision(key)) {
      writer.key(key + "_");
    } else {
      writer.key(member.key);
    }
    writer.value(member.value);
  }
}

std::optional<json::Value> payload_members(json::View object, const ReservedNames& reserved,
                                           IsForeign is_foreign) {
  json::Writer writer;
  writer.begin_object();
  bool any = false;
  for (const json::Member& member : object.members()) {
    std::string key = member.key.string();
    const bool taken = reserved.contains(key);
    if (taken && (is_foreign == nullptr || !is_foreign(member))) continue;
    any = true;
    if (!taken && reserved.is_collision(key)) {
      key.pop_back();
      writer.key(key);
    } else {
      writer.key(member.key);
    }
    writer.value(member.value);
  }
  writer.end_object();
  return any ? std::optional(std::move(writer).finish_value()) : std::nullopt;
}

void write_flat_payload(json::Writer& writer, const model::Response& response,
                        const ReservedNames& reserved, std::string_view key) {
  if (says_success(response)) {
    // `success` of the payload is left out, because the envelope has the same member.
    const auto rest = json::select_members(response.payload->view(), [](const json::Member& one) {
      return !one.key.equals("success");
    });
    if (rest) write_payload_members(writer, rest->view(), reserved);
  } else if (response.payload && response.payload->view().is_object()) {
    write_payload_members(writer, response.payload->view(), reserved);
  } else {
    write_optional(writer, key, response.payload);
  }
  write_optional(writer, kFlatSlot, slot_content(response, std::nullopt, kInFlatSlot));
}

bool says_success(const model::Response& response) {
  if (response.failure || !response.payload) return false;
  const auto success = response.payload->view().find("success");
  return success && success->is_boolean() && success->boolean();
}

void read_flat_payload(json::View document, const ReservedNames& reserved, std::string_view key,
                       model::Response& response, IsForeign is_foreign) {
  const auto slot = object_at(document, kFlatSlot);
  const bool ours = slot && is_enfold_slot(*slot, kInFlatSlot);
  if (ours) read_slot(*slot, kInFlatSlot, response);
  response.payload = payload_members(document, reserved, is_foreign);
  if (const auto foreign = ours ? std::nullopt : document.find(kFlatSlot)) {
    json::Writer writer;
    writer.begin_object();
    if (response.payload) json::write_members(writer, response.payload->view());
    response.payload = std::move(writer.member(kFlatSlot, *foreign).end_object()).finish_value();
  }
  if (!response.payload || response.payload->view().size() != 1) return;
  const auto only = response.payload->view().find(key);
  if (only && !only->is_object()) response.payload = json::Value(*only);
}

Wrapping wrapping_of(const model::Response& response) {
  if (!response.payload || response.payload->view().is_object()) return Wrapping::none;
  if (response.wrapping != Wrapping::none) return response.wrapping;
  return response.payload->view().is_array() ? Wrapping::items : Wrapping::result;
}

void write_payload_as_object(json::Writer& writer, const model::Response& response) {
  const Wrapping wrapping = wrapping_of(response);
  if (wrapping == Wrapping::none) {
    if (response.payload) {
      writer.value(*response.payload);
    } else {
      writer.begin_object().end_object();
    }
    return;
  }
  writer.begin_object().key(model::name(wrapping)).value(*response.payload).end_object();
}

void unwrap(model::Response& response) {
  if (response.wrapping == Wrapping::none || !response.payload) return;
  const json::View payload = response.payload->view();
  const auto inside =
      payload.size() == 1 ? payload.find(model::name(response.wrapping)) : std::nullopt;
  if (payload.is_object() && inside) response.payload = json::Value(*inside);
}

std::string_view message_of(const model::Failure& failure) {
  if (failure.message.empty()) return "The tool failed without a message";
  return failure.message;
}

void read_error_members(json::View object, model::Failure& failure) {
  if (auto code = json::string_member(object, "error_code")) failure.code = std::move(*code);
  if (const auto type = json::string_member(object, "error_type")) failure.type = read_type(*type);
  if (const auto text = json::string_member(object, "remediation")) {
    failure.remediation = {*text};
  }
  if (auto details = value_at(object, "details")) failure.details = std::move(details);
}

bool is_no_error_member(const json::Member& member) {
  const std::string key = member.key.string();
  if (key == "error_code" || key == "error_type" || key == "remediation") {
    return !member.value.is_string() && !member.value.is_null();
  }
  const bool is_delay = key == "retry_after_seconds" || key == "retry_after";
  return is_delay && !member.value.is_number() && !member.value.is_null();
}

void write_error_members(json::Writer& writer, const model::Failure& failure,
                         model::ErrorType type) {
  writer.member("error_code", failure.code.empty() ? traits(failure.kind).code : failure.code);
  writer.member("error_type", model::name(failure.type.value_or(type)));
  if (!failure.remediation.empty()) {
    writer.member("remediation", fmt::format("{}", fmt::join(failure.remediation, " ")));
  }
  if (!failure.details) return;
  writer.key("details");  // must be an object in these contracts
  if (failure.details->view().is_object()) {
    writer.value(*failure.details);
  } else {
    writer.begin_object().member("text", *failure.details).end_object();
  }
}

void write_fidelity(json::Writer& writer, const model::Reduction& reduction) {
  writer.member("content_fidelity", model::name(reduction.level));
  writer.member("content_fidelity_schema_version", kFidelityVersion);
  if (!reduction.dropped_ids.empty()) {
    writer.member("dropped_content_ids", reduction.dropped_ids);
  }
  if (std::ranges::none_of(reduction.archive, is_hash, &model::ArchiveEntry::hash)) return;
  writer.key("content_archive_hashes").begin_object();
  for (const model::ArchiveEntry& entry : reduction.archive) {
    if (is_hash(entry.hash)) writer.member(entry.handle, entry.hash);
  }
  writer.end_object();
}

std::optional<model::Reduction> read_fidelity(json::View object) {
  const auto text = json::string_member(object, "content_fidelity");
  const auto level = text ? model::from_name<model::Fidelity>(*text) : std::nullopt;
  if (!level || *level == model::Fidelity::full) return std::nullopt;
  model::Reduction reduction{.level = *level,
                             .dropped_ids = strings_at(object, "dropped_content_ids")};
  if (const auto hashes = object_at(object, "content_archive_hashes")) {
    for (const json::Member& member : hashes->members()) {
      if (member.value.is_string()) {
        reduction.archive.push_back({member.key.string(), member.value.string()});
      }
    }
  }
  return reduction;
}

std::optional<json::Value> slot_content(const model::Response& response,
                                        const std::optional<json::Value>& extension,
                                        SlotParts parts) {
  const auto& reduction = response.reduction;
  const bool reduced =
      reduction && (parts.fidelity || !reduction->briefed.empty() || !reduction->clipped.empty() ||
                    !reduction->columnar.empty() || reduction->facts || reduction->index);
  const bool paged = parts.page && has_next_page(response);
  if (!reduced && !paged) return extension;
  json::Writer writer;
  writer.begin_object();
  if (paged) write_page(writer, response);
  if (reduced) {
    if (parts.fidelity) {
      write_fidelity(writer, *reduction);
      if (!reduction->way_back.empty()) writer.member("way_back", reduction->way_back);
    }
    if (!reduction->briefed.empty()) writer.member("briefed", reduction->briefed);
    if (!reduction->clipped.empty()) writer.member("clipped", reduction->clipped);
    if (!reduction->columnar.empty()) writer.member("columnar", reduction->columnar);
    write_optional(writer, "facts", reduction->facts);
    write_optional(writer, "index", reduction->index);
  }
  if (extension) json::write_members(writer, extension->view());
  writer.end_object();
  return std::move(writer).finish_value();
}

void read_slot(json::View slot, SlotParts parts, model::Response& response) {
  if (parts.fidelity) response.reduction = read_fidelity(slot);
  if (parts.page) response.page = read_page(slot);
  if (!response.reduction) return;
  model::Reduction& reduction = *response.reduction;
  if (parts.fidelity) reduction.way_back = json::string_member(slot, "way_back").value_or("");
  reduction.briefed = strings_at(slot, "briefed");
  reduction.clipped = strings_at(slot, "clipped");
  reduction.columnar = strings_at(slot, "columnar");
  reduction.facts = value_at(slot, "facts");
  reduction.index = value_at(slot, "index");
}

// A member `enfold` may also be data of the tool, so the slot must name a contract.
bool is_extension(json::View slot) {
  const auto from = json::string_member(slot, "from");
  return from && (from->empty() || from_name(*from));
}

bool is_enfold_slot(json::View slot, SlotParts parts) {
  if (is_extension(slot) || read_fidelity(slot)) return true;
  const auto page = parts.page ? read_page(slot) : std::nullopt;
  return page && *page != model::Page{};
}

bool has_next_page(const model::Response& response) {
  if (!response.page) return false;
  const model::Page& page = *response.page;
  return page.has_more.value_or(false) || page.cursor || page.next_offset || page.before ||
         page.after;
}

std::optional<model::Page> read_page(json::View object) {
  const auto found = object_at(object, "pagination");
  if (!found) return std::nullopt;
  const json::View pagination = *found;
  model::Page page;
  page.cursor = json::string_member(pagination, "cursor");
  page.has_more = boolean_at(pagination, "has_more");
  page.total = number_at(pagination, "total_count");
  page.page_size = number_at(pagination, "page_size");
  if (!page.cursor) return page;
  // A cursor that Enfold made of only an offset or an id is read as that offset or id.
  const auto position = decode_cursor(*page.cursor);
  if (!position) return page;
  const auto is_cursor = [&](const std::string& text) { return text == *page.cursor; };
  if (const auto offset = number_at(position->view(), "offset");
      offset && is_cursor(encode_offset_cursor(offset->text))) {
    page.next_offset = offset;
    page.cursor.reset();
  } else if (const auto after = json::string_member(position->view(), "after");
             after && is_cursor(encode_text_cursor("after", *after))) {
    page.after = after;
    page.cursor.reset();
  } else if (const auto before = json::string_member(position->view(), "before");
             before && is_cursor(encode_text_cursor("before", *before))) {
    page.before = before;
    page.cursor.reset();
  }
  return page;
}

void write_page(json::Writer& writer, const model::Response& response) {
  model::Page page = response.page.value_or(model::Page{});
  page.total = valid_count(page.total);
  page.page_size = valid_count(page.page_size, /*least=*/1);
  const auto cursor = cursor_of(page);
  if (!cursor && !page.has_more && !page.total && !page.page_size) return;  // nothing to write
  writer.key("pagination").begin_object();
  const bool more = page.has_more.value_or(false);
  if (cursor) {
    writer.member("cursor", *cursor);
  } else if (page.has_more && !more) {
    writer.key("cursor").null();  // this is the last page
  }
  write_optional(writer, "has_more", page.has_more);
  write_optional(writer, "total_count", page.total);
  write_optional(writer, "page_size", page.page_size);
  writer.end_object();
}

}  // namespace enfold::contract::detail
