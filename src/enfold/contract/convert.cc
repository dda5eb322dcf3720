// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/contract.h"
#include "enfold/contract/envelopes/contracts.h"
#include "enfold/contract/envelopes/generic_form.h"
#include "enfold/contract/envelopes/members.h"
#include "enfold/json/document.h"
#include "enfold/json/pointer.h"
#include "enfold/model/canonical.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::contract {
namespace {

json::Value render_without_extension(Id id, const model::Response& response,
                                     RenderOptions options) {
  options.extension.reset();
  json::Writer writer;
  render(id, response, options, writer);
  return std::move(writer).finish_value();
}

// For reading what Enfold rendered: an envelope may be larger than the size limit that the answer
// inside it was read with.
ReadOptions unlimited_options(std::string tool = {}) {
  ReadOptions options;
  options.tool = std::move(tool);
  options.limits.max_bytes = kLargestDocument;
  return options;
}

// The response read from a document, without its residue.
Result<model::Response> read_back(Id id, json::View document, const std::string& tool) {
  ENFOLD_TRY(Reading reading, read(id, document, unlimited_options(tool)));
  return std::move(reading.response);
}

// The response after rendering and reading it again: what the contract can express. A payload that
// the contract writes verbatim skips the round trip, because it may be large.
Result<model::Response> round_trip(Id id, const model::Response& response,
                                   const RenderOptions& options) {
  const bool verbatim = succeeded(response) && response.payload &&
                        response.payload->view().is_object() &&
                        (id == Id::response_v2 || id == Id::scalpel_v1);
  if (!verbatim) return read_back(id, render_without_extension(id, response, options).view(), "");
  model::Response probe = response;
  probe.payload = json::parse_own("{}");
  Result<model::Response> reread =
      read_back(id, render_without_extension(id, probe, options).view(), "");
  if (reread && reread->payload == probe.payload) reread->payload = response.payload;
  return reread;
}

void write_residue(json::Writer& writer, const std::vector<json::Change>& residue) {
  writer.key("residue").begin_object();
  for (const json::Change& change : residue) {
    // An array of one value, or an empty array for a removed member: the value may be null.
    writer.key(change.pointer).begin_array();
    if (change.after) writer.value(*change.after);
    writer.end_array();
  }
  writer.end_object();
}

std::vector<json::Change> read_residue(json::View object) {
  std::vector<json::Change> residue;
  for (const json::Member& member : object.members()) {
    json::Change change{.pointer = member.key.string()};
    if (const auto value = member.value.item(0)) change.after = json::Value(*value);
    residue.push_back(std::move(change));
  }
  return residue;
}

// The losses for a source without a contract, which cannot be rendered again and compared. `want`
// was read from the source, `have` from the output. For each field of `want` that `have` lacks, a
// loss names the part of the source that the field was read from.
std::vector<Loss> raw_losses(json::View source, const model::Response& want, Id to,
                             model::Response have) {
  std::vector<Loss> lost;
  const std::string reason = fmt::format("no place in {}", name(to));
  if (have.wrapping == model::Wrapping::none && want.wrapping != have.wrapping) {
    have.wrapping = detail::wrapping_of(want);
    detail::unwrap(have);
  }
  have.wrapping = want.wrapping;
  const auto result = source.find("jsonrpc") ? source.find("result") : std::optional(source);
  const std::string prefix = source.find("jsonrpc") ? "/result" : "";
  for (const std::string& field : model::missing_fields(want, have)) {
    if (field == "/blocks") {
      std::size_t index = 0;
      for (const json::View block : result->find("content").value_or(json::View()).items()) {
        const auto same = [&](const json::Value& kept) { return json::equal(kept.view(), block); };
        if (std::any_of(want.blocks.begin(), want.blocks.end(), same)) {
          lost.push_back({fmt::format("{}/content/{}", prefix, index), reason});
        }
        ++index;
      }
    } else if (field == "/metadata") {
      for (const json::Member& member : want.metadata->view().members()) {
        lost.push_back({json::below(prefix, member.key.string()), reason});
      }
    } else if (field != "/tool/id" && field != "/warnings" && field != "/failure/kind") {
      // The three are no parts of the source: the caller or the reader of the source set them.
      lost.push_back({field, reason});
    }
  }
  return lost;
}

std::string shortened_json(const json::Value& value) {
  constexpr std::size_t most = 60;
  const std::string text = json::to_text(value.view());
  return text.size() <= most ? text : std::string(text, 0, most - 3) + "...";
}

/// The outcome that the envelope itself states.
struct EnvelopeOutcome {
  model::Outcome outcome;
  std::optional<model::Failure> failure;
};

bool is_failed(model::Outcome outcome) { return outcome == model::Outcome::failed; }

// Restores the stated outcome if the values of a slot turned a failure into a success or the
// reverse: any server can send data that look like a slot.
void keep_outcome(const EnvelopeOutcome& stated, model::Response& response) {
  if (is_failed(stated.outcome) != is_failed(response.outcome)) response.outcome = stated.outcome;
  if (!is_failed(stated.outcome)) {
    response.failure.reset();
  } else if (!response.failure) {
    response.failure = stated.failure;
  }
}

}  // namespace

namespace detail {

Result<std::optional<json::Value>> make_extension(Id to, const Reading& reading,
                                                  const RenderOptions& options) {
  // want: the response that reading the output must give. have: what its own members alone give.
  model::Response want = reading.response;
  std::optional<DataTransform> transform;
  if (to == Id::generic) {
    GenericForm shown = to_generic_form(want);
    transform = std::move(shown.transform);
    if (transform && !transform->at.empty()) {
      json::Change change{.pointer = transform->at};
      change.after = json::Value();
      transform->rest = json::apply(want.payload->view(), {change});
    }
    want.payload = std::move(shown.response.payload);
  }
  const model::Wrapping wrapping =
      to == Id::response_v2 ? wrapping_of(want) : model::Wrapping::none;
  ENFOLD_TRY(model::Response have, round_trip(to, reading.response, options));
  if (wrapping != model::Wrapping::none) {
    have.wrapping = wrapping;
    unwrap(have);
  }
  have.wrapping = want.wrapping;
  const json::Value carried = model::carry(want, have);
  const bool has_residue = !reading.origin.residue.empty() && !reading.origin.altered;
  if (carried->size() == 0 && !has_residue && !transform && wrapping == model::Wrapping::none) {
    return std::nullopt;
  }
  // wrapping: how the output wraps the payload. form: how the source wrapped it. lift: how the
  // payload became `data` of generic. carry: fields without a member in the contract.
  json::Writer writer;
  writer.begin_object().member("from", reading.origin.contract);
  if (wrapping != model::Wrapping::none) writer.member("wrapping", model::name(wrapping));
  if (want.wrapping != model::Wrapping::none) writer.member("form", model::name(want.wrapping));
  if (transform) writer.member("lift", to_json(*transform));
  if (carried->size() != 0) writer.member("carry", carried);
  if (has_residue) write_residue(writer, reading.origin.residue);
  writer.end_object();
  return std::move(writer).finish_value();
}

Status apply_extension(json::View extension, Reading& reading) {
  model::Response& response = reading.response;
  if (const auto wrapping = json::string_member(extension, "wrapping")) {
    response.wrapping =
        model::from_name<model::Wrapping>(*wrapping).value_or(model::Wrapping::none);
    unwrap(response);
  }
  response.wrapping = model::Wrapping::none;
  if (const auto form = json::string_member(extension, "form")) {
    response.wrapping = model::from_name<model::Wrapping>(*form).value_or(model::Wrapping::none);
  }
  if (const auto carried = object_at(extension, "carry")) {
    const EnvelopeOutcome stated{response.outcome, response.failure};
    if (Status status = model::overlay(response, *carried); !status) {
      Error error = status.error();
      error.where = "extension slot, " + error.where;
      error.hint = "the slot was written by something else, or edited: remove it";
      return tl::unexpected(std::move(error));
    }
    keep_outcome(stated, response);
  }
  if (const auto object = object_at(extension, "lift")) {
    if (const auto transform = transform_from_json(*object)) undo_transform(response, *transform);
  }
  if (const auto from = json::string_member(extension, "from")) reading.origin.contract = *from;
  reading.origin.residue.clear();
  if (const auto residue = object_at(extension, "residue")) {
    reading.origin.residue = read_residue(*residue);
  }
  return {};
}

model::Response with_flat_shape(const Reading& reading) {
  model::Response response = reading.response;
  const auto from = from_name(reading.origin.contract);
  const bool flat = from == Id::memory || from == Id::response_v1;
  const bool is_object = response.payload && response.payload->view().is_object();
  if (!flat || response.failure || response.shape || !is_object) return response;
  model::Response with_success;
  json::Writer writer;
  writer.begin_object().member("success", true);
  json::write_members(writer, response.payload->view());
  with_success.payload = std::move(writer.end_object()).finish_value();
  with_success.tool = response.tool;
  response.shape = shape_of(with_success).shape;
  return response;
}

}  // namespace detail

Result<std::vector<Loss>> losses(json::View source, const Reading& reading, Id to,
                                 json::View output) {
  std::vector<Loss> lost;
  ENFOLD_TRY(Reading reread, read(to, output, unlimited_options()));
  const auto from = from_name(reading.origin.contract);
  if (!from || *from >= Id::mcp) return raw_losses(source, reading.response, to, reread.response);
  json::Value returned = render_without_extension(
      *from, *from == Id::generic ? detail::with_flat_shape(reread) : reread.response,
      RenderOptions{});
  if (reread.origin.contract == reading.origin.contract) {
    returned = json::apply(returned.view(), reread.origin.residue);
  }
  for (const json::Change& change : json::diff(reading.envelope.view(), returned.view())) {
    if (!change.before) continue;  // a new member is not a loss
    lost.push_back({change.pointer, change.after ? fmt::format("changed: {} became {}",
                                                               shortened_json(*change.before),
                                                               shortened_json(*change.after))
                                                 : fmt::format("no place in {}", name(to))});
  }
  return lost;
}

}  // namespace enfold::contract
