// SPDX-License-Identifier: Apache-2.0
// Typed access to the members of an envelope. A member of the wrong type counts as absent; Enfold
// keeps it in the residue.
#pragma once

#include "enfold/json/number.h"
#include "enfold/json/write.h"
#include "enfold/model/response.h"

namespace enfold::contract::detail {

/// The member if `test` holds for its value; nullopt: it does not, or there is no such member.
[[nodiscard]] inline std::optional<json::View> member_if(json::View object, std::string_view key,
                                                         bool (json::View::*test)() const) {
  const auto found = object.find(key);
  return found && ((*found).*test)() ? found : std::nullopt;
}
[[nodiscard]] inline std::optional<json::View> object_at(json::View object, std::string_view key) {
  return member_if(object, key, &json::View::is_object);
}
[[nodiscard]] inline std::optional<json::View> array_at(json::View object, std::string_view key) {
  return member_if(object, key, &json::View::is_array);
}
[[nodiscard]] std::optional<bool> boolean_at(json::View object, std::string_view key);
[[nodiscard]] std::optional<model::Number> number_at(json::View object, std::string_view key);
/// A member of any type, also null.
[[nodiscard]] std::optional<json::Value> value_at(json::View object, std::string_view key);
/// The strings of the array at `key`, without its other items; empty: there is no array.
[[nodiscard]] std::vector<std::string> strings_at(json::View object, std::string_view key);

/// A member that is there and not null.
[[nodiscard]] inline std::optional<json::View> present_at(json::View object, std::string_view key) {
  const auto found = object.find(key);
  return found && !found->is_null() ? found : std::nullopt;
}

/// Writes the member if it has a value: a string, a boolean, a model::Number or a json::Value.
template <class T>
void write_optional(json::Writer& writer, std::string_view key, const std::optional<T>& content) {
  if (!content) return;
  if constexpr (std::is_same_v<T, model::Number>) {
    writer.key(key).number(content->text);
  } else {
    writer.member(key, *content);
  }
}

/// The number if the contract's schema allows it, else nullopt: `valid_count` allows integers from
/// `least` on, `non_negative` any number that is not negative. Upstreams send a page size of 0 or a
/// limit of 2.5 calls; a number that the schema forbids goes to the extension slot instead.
[[nodiscard]] std::optional<model::Number> valid_count(const std::optional<model::Number>& number,
                                                       std::uint64_t least = 0);
[[nodiscard]] inline std::optional<model::Number> non_negative(
    const std::optional<model::Number>& number) {
  return number && !json::Number(number->text).is_negative() ? number : std::nullopt;
}

/// Member names of the envelope in an object that holds members of the payload too, as in a flat
/// contract. A payload member with such a name, or such a name plus trailing `_`, is written with
/// one more `_` and read with one less.
class ReservedNames {
 public:
  constexpr explicit ReservedNames(std::initializer_list<std::string_view> names) : names_(names) {}
  [[nodiscard]] bool contains(std::string_view key) const;
  /// Whether the key is a reserved name, or a reserved name plus any number of `_`.
  [[nodiscard]] bool is_collision(std::string_view key) const;

 private:
  std::vector<std::string_view> names_;
};

/// Writes the members of a payload object; colliding names get a trailing `_`.
void write_payload_members(json::Writer& writer, json::View object, const ReservedNames& reserved);

/// The members of `object` that are not reserved, with their original names; nullopt if none.
/// A reserved member is payload too if `is_foreign` returns true for it: the contract cannot mean
/// it, because it has a wrong type or belongs only to failures. nullptr: no reserved member is.
using IsForeign = bool (*)(const json::Member& member);
[[nodiscard]] std::optional<json::Value> payload_members(json::View object,
                                                         const ReservedNames& reserved,
                                                         IsForeign is_foreign = nullptr);
/// Whether a member of a failure has the name of an error member, but a type that Enfold does not
/// read as one (read_error_members), so that it is payload.
[[nodiscard]] bool is_no_error_member(const json::Member& member);

/// The root member of flat contracts for what was reduced and for pagination; absent if neither
/// applies.
inline constexpr std::string_view kFlatSlot = "enfold";
/// Whether the payload of a success has a member `success` that is true, as flat contracts have.
[[nodiscard]] bool says_success(const model::Response& response);
/// Writes the members of the payload, and the member `enfold` if there is content for it. A payload
/// that is no object is written as one member `key`.
void write_flat_payload(json::Writer& writer, const model::Response& response,
                        const ReservedNames& reserved, std::string_view key);
/// Reads what write_flat_payload wrote with the same `key`. A member `enfold` that Enfold did not
/// write is payload.
void read_flat_payload(json::View document, const ReservedNames& reserved, std::string_view key,
                       model::Response& response, IsForeign is_foreign = nullptr);

/// Writes the payload as an object: {"items": array}, {"text": text}, {"result": other scalar}, or
/// {} without a payload.
void write_payload_as_object(json::Writer& writer, const model::Response& response);
/// How write_payload_as_object wraps the payload. The name of the enum value is the key: "items",
/// "text", "result" or "content".
[[nodiscard]] model::Wrapping wrapping_of(const model::Response& response);

/// Undoes write_payload_as_object: if the payload is an object with one member whose key is the
/// name of `response.wrapping`, the value of that member becomes the payload.
void unwrap(model::Response& response);

/// The failure's message; a default sentence if the failure has none.
[[nodiscard]] std::string_view message_of(const model::Failure& failure);

/// Read and write the members error_code, error_type, remediation and details of response-v1 and
/// response-v2. A field of the failure whose member is absent keeps its value. `type` is written if
/// the failure has none.
void read_error_members(json::View object, model::Failure& failure);
void write_error_members(json::Writer& writer, const model::Failure& failure,
                         model::ErrorType type);

/// Write and read the members content_fidelity, content_fidelity_schema_version,
/// dropped_content_ids and content_archive_hashes: what was reduced and how to retrieve it. They
/// are in `meta` of response-v2 and in the slot of all other contracts. nullopt: nothing was
/// reduced.
void write_fidelity(json::Writer& writer, const model::Reduction& reduction);
[[nodiscard]] std::optional<model::Reduction> read_fidelity(json::View object);

/// In the extension slot Enfold keeps what a contract has no member for: `enfold` at the root of
/// flat contracts, in `meta.ext` of response-v2 and in `metadata` of generic; `_envelope` in `data`
/// of scalpel-v1. SlotParts says what the slot of a contract holds beside the extension and the
/// lists of a reduction (briefed, clipped, columnar, facts, index).
struct SlotParts {
  bool fidelity = false;  ///< the members of write_fidelity
  bool page = false;      ///< `pagination`
};
/// nullopt: there is nothing to write into the slot.
[[nodiscard]] std::optional<json::Value> slot_content(const model::Response& response,
                                                      const std::optional<json::Value>& extension,
                                                      SlotParts parts);
/// Reads what `slot_content` wrote, without the extension.
void read_slot(json::View slot, SlotParts parts, model::Response& response);

/// Whether the slot is an extension: its member `from` is the name of a contract, or "" if the
/// response was read from none.
[[nodiscard]] bool is_extension(json::View slot);
/// Whether Enfold wrote the slot: an extension, a reduction or pagination.
[[nodiscard]] bool is_enfold_slot(json::View slot, SlotParts parts);

// The member `pagination`: in `meta` of response-v2, in the extension slot of flat contracts and
// scalpel-v1.

/// Whether the response has a page that leads to another page; if not, the slot has no pagination.
[[nodiscard]] bool has_next_page(const model::Response& response);
/// Writes nothing for a response without a page.
void write_page(json::Writer& writer, const model::Response& response);
[[nodiscard]] std::optional<model::Page> read_page(json::View object);

}  // namespace enfold::contract::detail
