// SPDX-License-Identifier: Apache-2.0
// Typed access to the members of an envelope. A member of the wrong type counts as absent; the
// residue of the reading keeps it.
#pragma once

#include "enfold/json/member.h"
#include "enfold/json/write.h"
#include "enfold/model/response.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::contract::detail {

[[nodiscard]] std::optional<json::View> object_at(json::View object, std::string_view key);
[[nodiscard]] std::optional<json::View> array_at(json::View object, std::string_view key);
[[nodiscard]] std::optional<bool> boolean_at(json::View object, std::string_view key);
[[nodiscard]] std::optional<model::Number> number_at(json::View object, std::string_view key);
[[nodiscard]] std::optional<json::Value> value_at(json::View object, std::string_view key);
[[nodiscard]] std::vector<std::string> strings_at(json::View object, std::string_view key);
/// A member that is there and not null.
[[nodiscard]] std::optional<json::View> present_at(json::View object, std::string_view key);

void write_optional(json::Writer& writer, std::string_view key,
                    const std::optional<std::string>& text);
void write_optional(json::Writer& writer, std::string_view key, const std::optional<bool>& flag);
void write_optional(json::Writer& writer, std::string_view key,
                    const std::optional<model::Number>& number);
void write_optional(json::Writer& writer, std::string_view key,
                    const std::optional<json::Value>& value);
void write_strings(json::Writer& writer, std::string_view key,
                   const std::vector<std::string>& texts);

/// The number when a contract that demands at least `least`, or an integer as well, can say it.
/// Strangers count a page of 0 items or 2.5 calls; such a number stays out of the envelope's own
/// members and is carried in the slot.
[[nodiscard]] std::optional<model::Number> sayable_count(const std::optional<model::Number>& number,
                                                         std::uint64_t least = 0);
[[nodiscard]] std::optional<model::Number> sayable_measure(
    const std::optional<model::Number>& number);

/// Names that a flat contract keeps for itself. A payload member of such a name, with any number
/// of trailing `_`, is written with one `_` more and read with one less.
class Reserved {
 public:
  constexpr explicit Reserved(std::initializer_list<std::string_view> names) : names_(names) {}
  [[nodiscard]] bool contains(std::string_view key) const;
  [[nodiscard]] bool is_collision(std::string_view key) const;  ///< reserved, or reserved plus `_`…

 private:
  std::vector<std::string_view> names_;
};

/// Writes the members of a payload object, colliding names escaped.
void write_payload_members(json::Writer& writer, json::View object, const Reserved& reserved);

/// The members of `object` that are not the envelope's own, names restored; nullopt when none.
[[nodiscard]] std::optional<json::Value> payload_members(json::View object,
                                                         const Reserved& reserved);

/// The root member of flat contracts that says what was reduced and where a page goes on; only then
/// is it there.
inline constexpr std::string_view kFlatSlot = "enfold";
void write_flat_slot(json::Writer& writer, const model::Response& response);
/// Reads it, and gives the payload's members. A member of this name that is not ours is payload.
[[nodiscard]] std::optional<json::Value> read_flat_payload(json::View document,
                                                           const Reserved& reserved,
                                                           model::Response& response);

/// The payload as contracts that demand an object show it: array → items, text → text, other
/// scalars → result, no payload → {}.
void write_object_form(json::Writer& writer, const model::Response& response);
[[nodiscard]] model::Wrapping wrapping_of(const model::Response& response);

/// Undoes write_object_form for a response whose `wrapping` says how it was wrapped.
void unwrap(model::Response& response);

/// The failure in words; a sentence of ours when the source gave none.
[[nodiscard]] std::string_view message_of(const model::Failure& failure);

/// The member `details`, which must be an object: anything else stands under `text`.
void write_details(json::Writer& writer, const model::Failure& failure);

/// The members that say what was reduced and how to get it back: of `meta` in response-v2, of the
/// slot in every other contract.
void write_fidelity(json::Writer& writer, const model::Reduction& reduction);
[[nodiscard]] std::optional<model::Reduction> read_fidelity(json::View object);

/// What else stands in the contract's slot, because it has no other place. The parts of a reduction
/// that say more than its fidelity stand there in any case.
struct SlotParts {
  bool fidelity = false;
  bool page = false;
};
[[nodiscard]] std::optional<json::Value> slot_content(const model::Response& response,
                                                      const std::optional<json::Value>& extension,
                                                      SlotParts parts);
/// Reads what `slot_content` wrote, without the extension.
void read_slot(json::View slot, SlotParts parts, model::Response& response);

/// An extension names the contract it came from; without that the member is somebody's data.
[[nodiscard]] bool is_extension(json::View slot);
/// Written by us: an extension, or what is said about a reduction or a page.
[[nodiscard]] bool is_ours(json::View slot, SlotParts parts);

/// All remediation texts as one.
[[nodiscard]] std::string joined(const std::vector<std::string>& texts);

}  // namespace enfold::contract::detail
