// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/convert.h"

#include "enfold/contract/envelopes/contracts.h"
#include "enfold/contract/envelopes/extension.h"
#include "enfold/contract/envelopes/members.h"
#include "enfold/contract/envelopes/shape.h"
#include "enfold/contract/validator.h"
#include "enfold/json/member.h"
#include "enfold/json/pointer.h"
#include "enfold/model/canonical.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::contract {
namespace {

bool has_slot(Id id, const model::Response& response) {
  if (id == Id::scalpel_v1) return response.payload && response.payload->view().is_object();
  return id == Id::response_v2 || id == Id::generic;
}

// Parts that came from around an envelope and that its contract has no members for.
bool holds_foreign_parts(const model::Response& response, Id id) {
  return !response.blocks.empty() || (response.metadata && id != Id::generic);
}

json::Value native(Id id, const model::Response& response, RenderOptions options) {
  options.extension.reset();
  json::Writer writer;
  render(id, response, options, writer);
  return std::move(writer).finish_value();
}

ReadOptions of_any_size(std::string tool = {}) {
  ReadOptions options;
  options.tool = std::move(tool);
  options.limits.max_bytes = kLargestDocument;
  return options;
}

// The response as the target's own members tell it, without residue or slot.
Result<model::Response> read_back(Id id, json::View document, const std::string& tool) {
  Result<Reading> reading = read(id, document, of_any_size(tool));
  if (!reading) return tl::unexpected(reading.error());
  return std::move(reading->response);
}

// The response as rendering and reading it again would tell it. A payload that the contract shows
// verbatim is left out of the way there and back: it may be most of a large answer.
Result<model::Response> told_by(Id id, const model::Response& response,
                                const RenderOptions& options) {
  const bool verbatim = succeeded(response) && response.payload &&
                        response.payload->view().is_object() &&
                        (id == Id::response_v2 || id == Id::scalpel_v1);
  if (!verbatim) return read_back(id, native(id, response, options).view(), "");
  model::Response probe = response;
  probe.payload = json::parse_own("{}");
  Result<model::Response> told = read_back(id, native(id, probe, options).view(), "");
  if (told && told->payload == probe.payload) told->payload = response.payload;
  return told;
}

void write_residue(json::Writer& writer, const std::vector<json::Change>& residue) {
  writer.key("residue").begin_object();
  for (const json::Change& change : residue) {
    // In a box: an empty one removes, so that a value may itself be null.
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

// Raw data has many spellings and no rendering to compare with; what is missing is told by the
// part of the source that the field was read from.
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
      lost.push_back({field, reason});  // beside the answer: the model's own name for it
    }
  }
  return lost;
}

std::string shown(const json::Value& value) {
  constexpr std::size_t most = 60;
  const std::string text = json::to_text(value.view());
  return text.size() <= most ? text : std::string(text, 0, most - 3) + "...";
}

/// What an envelope itself says about success.
struct Told {
  model::Outcome outcome;
  std::optional<model::Failure> failure;
};

bool is_failed(model::Outcome outcome) { return outcome == model::Outcome::failed; }

// A slot stands in data that anybody can send: it may say more about an outcome, never turn it.
void keep_told(const Told& told, model::Response& response) {
  if (is_failed(told.outcome) != is_failed(response.outcome)) response.outcome = told.outcome;
  if (!is_failed(told.outcome)) {
    response.failure.reset();
  } else if (!response.failure) {
    response.failure = told.failure;
  }
}

// Whether a document is one of the contract, and says of success what the response says.
bool may_leave(Id to, json::View document, const model::Response& response) {
  if (const schema::Schema* schema = validator(to)) {
    const auto validation = schema->validate(document);
    if (!validation || !validation->valid) return false;
  }
  const Result<Reading> again = read(to, document, of_any_size());
  return again && is_failed(again->response.outcome) == is_failed(response.outcome);
}

// What the document had beside the model, as far as it can leave: a tool may have written anything.
json::Value restored(Id to, const json::Value& rendered, const std::vector<json::Change>& changes,
                     const model::Response& response) {
  constexpr std::size_t kMostTries = 16;
  json::Value all = json::apply(rendered.view(), changes);
  if (may_leave(to, all.view(), response)) return all;
  json::Value kept = rendered;
  for (std::size_t i = 0; i < std::min(changes.size(), kMostTries); ++i) {
    json::Value more = json::apply(kept.view(), {changes[i]});
    if (may_leave(to, more.view(), response)) kept = std::move(more);
  }
  return kept;
}

// Of a response that is no longer what was read, only members that nothing else stands for.
std::vector<json::Change> restorable(const model::Origin& origin, json::View rendered) {
  if (!origin.altered) return origin.residue;
  std::vector<json::Change> additions;
  for (const json::Change& change : origin.residue) {
    const auto pointer = json::Pointer::parse(change.pointer);
    if (change.before || !pointer || pointer->resolve(rendered)) continue;
    additions.push_back(change);
  }
  return additions;
}

}  // namespace

namespace detail {

Result<std::optional<json::Value>> make_extension(Id to, const Reading& reading,
                                                  const RenderOptions& options) {
  model::Response want = reading.response;
  std::optional<Lift> lifted;
  if (to == Id::generic) {
    Shown shown = show(want);
    want.payload = std::move(shown.response.payload);
    lifted = std::move(shown.lift);
  }
  const model::Wrapping wrapping =
      to == Id::response_v2 ? wrapping_of(want) : model::Wrapping::none;
  Result<model::Response> have = told_by(to, reading.response, options);
  if (!have) return tl::unexpected(have.error());
  if (wrapping != model::Wrapping::none) {
    have->wrapping = wrapping;
    unwrap(*have);
  }
  have->wrapping = want.wrapping;
  const json::Value carried = model::carry(want, *have);
  const bool residue = !reading.origin.residue.empty() && !reading.origin.altered;
  if (carried->size() == 0 && !residue && !lifted && wrapping == model::Wrapping::none) {
    return std::nullopt;
  }
  json::Writer writer;
  writer.begin_object().member("from", reading.origin.contract);
  if (wrapping != model::Wrapping::none) writer.member("wrapping", model::name(wrapping));
  if (want.wrapping != model::Wrapping::none) writer.member("form", model::name(want.wrapping));
  if (lifted) writer.member("lift", to_json(*lifted));
  if (carried->size() != 0) writer.member("carry", carried);
  if (residue) write_residue(writer, reading.origin.residue);
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
    const Told told{response.outcome, response.failure};
    if (Status status = model::overlay(response, *carried); !status) {
      Error error = status.error();
      error.where = "extension slot, " + error.where;
      error.hint = "the slot was written by something else, or edited: remove it";
      return tl::unexpected(std::move(error));
    }
    keep_told(told, response);
  }
  if (const auto object = object_at(extension, "lift")) {
    if (const auto lifted = lift_from_json(*object)) undo_lift(response, *lifted);
  }
  if (const auto from = json::string_member(extension, "from")) reading.origin.contract = *from;
  reading.origin.residue.clear();
  if (const auto residue = object_at(extension, "residue")) {
    reading.origin.residue = read_residue(*residue);
  }
  return {};
}

}  // namespace detail

Result<json::Output> write(const Reading& reading, Id to, const ConvertOptions& options) {
  RenderOptions render_options = options.render;
  render_options.extension.reset();
  const bool returns = reading.origin.contract == name(to);
  const bool says_all = returns && !holds_foreign_parts(reading.response, to);
  const bool extends = options.extensions && !reading.origin.concise;
  if (extends && has_slot(to, reading.response) && !says_all) {
    auto extension = detail::make_extension(to, reading, options.render);
    if (!extension) return tl::unexpected(extension.error());
    render_options.extension = std::move(*extension);
  }
  json::Writer writer;
  render(to, reading.response, render_options, writer);
  const bool restores = returns && options.render.members == Members::strict;
  if (!restores || reading.origin.residue.empty()) return std::move(writer).finish();
  const json::Value rendered = std::move(writer).finish_value();
  json::Writer out;
  out.value(restored(to, rendered, restorable(reading.origin, rendered.view()), reading.response));
  return std::move(out).finish();
}

Result<std::vector<Loss>> losses(json::View source, const Reading& reading, Id to,
                                 json::View output) {
  std::vector<Loss> lost;
  Result<Reading> back = read(to, output, of_any_size());
  if (!back) return tl::unexpected(back.error());
  const auto from = from_name(reading.origin.contract);
  if (!from || *from >= Id::mcp) return raw_losses(source, reading.response, to, back->response);
  json::Value returned = native(*from, back->response, {});
  if (back->origin.contract == reading.origin.contract) {
    returned = json::apply(returned.view(), back->origin.residue);
  }
  for (const json::Change& change : json::diff(reading.envelope.view(), returned.view())) {
    if (!change.before) continue;  // something new is not a loss
    lost.push_back({change.pointer, change.after
                                        ? fmt::format("changed: {} became {}",
                                                      shown(*change.before), shown(*change.after))
                                        : fmt::format("no place in {}", name(to))});
  }
  return lost;
}

}  // namespace enfold::contract
