// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/view/view.h"

#include "enfold/answer/fit/result_size.h"
#include "enfold/contract/errors/error_codes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace enfold::answer {
namespace {

constexpr std::size_t kMostMarks = 1'000;  // redacted places that are listed of one text
constexpr std::string_view kMarker = "[REDACTED:";
constexpr int kPayloadDepth = 3;  // members from the root of an envelope to its payload, at most
constexpr int kMadeDepth = 5;     // members from the root of an envelope to facts and index

// The pointer of a value that is a part of `root`, both of one document; nullopt: it is not.
std::optional<std::string> place_in(json::View root, json::View value) {
  if (root.storage() == nullptr || root.storage() != value.storage()) return std::nullopt;
  const auto covers = [&](json::View outer) {
    return outer.offset() <= value.offset() &&
           value.offset() + value.raw().size() <= outer.offset() + outer.raw().size();
  };
  if (!covers(root)) return std::nullopt;
  std::string pointer;
  json::View at = root;
  while (at.offset() != value.offset() || at.raw().size() != value.raw().size()) {
    const auto enter = [&](json::View child, std::string_view token) {
      if (!covers(child)) return false;
      at = child;
      json::append_token(pointer, token);
      return true;
    };
    bool found = false;
    if (at.is_object()) {
      for (const json::Member& member : at.members()) {
        if ((found = enter(member.value, member.key.string()))) break;
      }
    } else if (at.is_array()) {
      std::size_t index = 0;
      for (const json::View item : at.items()) {
        if ((found = enter(item, std::to_string(index++)))) break;
      }
    }
    if (!found) return std::nullopt;
  }
  return pointer;
}

// The pointer of the first value with this text, at most `depth` steps below `root`.
std::optional<std::string> find_text(json::View root, std::string_view text, int depth,
                                     const std::string& pointer) {
  if (root.raw() == text) return pointer;
  if (depth == 0 || !root.is_object()) return std::nullopt;
  for (const json::Member& member : root.members()) {
    auto found =
        find_text(member.value, text, depth - 1, json::below(pointer, member.key.string()));
    if (found) return found;
  }
  return std::nullopt;
}

ViewText text_of(json::View value, std::string place, const FitSettings& settings) {
  ViewText out{.is_json = !value.is_string(), .place = std::move(place)};
  out.text = out.is_json ? json::to_text(value) : value.string();
  out.size = size_of(out.text, settings);
  return out;
}

// What the server sent: the payload, else the message.
ViewText before_of(const ReadAnswer& answer, const FitSettings& settings) {
  const model::Response& response = answer.reading.response;
  if (!response.payload) {
    ViewText out{.text = response.failure ? response.failure->message : response.message};
    out.size = size_of(out.text, settings);
    return out;
  }
  const json::Value stored = answer.is_made_here ? json::Value() : stored_value(answer);
  const bool is_result = stored->find("content").has_value();
  ViewText out = text_of(response.payload->view(),
                         place_in(stored.view(), response.payload->view())
                             .value_or(is_result ? "/content/0/text" : ""),
                         settings);
  if (is_result) out.size = size_of_result(stored.view(), *settings.tokenizer, settings.unit);
  return out;
}

// Adds a part for each string with a redaction marker. `left`: how many more may be added.
void mark_redacted(json::View value, const std::string& pointer, bool is_before,
                   std::vector<ViewPart>& parts, std::size_t& left) {
  if (left == 0 || value.raw().find(kMarker) == std::string_view::npos) return;
  if (value.is_string()) {
    const std::string text = value.string();
    const std::size_t begin = text.find(kMarker);
    if (begin == std::string::npos) return;
    const std::size_t end = std::min(text.find(']', begin), text.size());
    const std::size_t label = begin + kMarker.size();
    --left;
    parts.push_back({.is_before = is_before,
                     .pointer = pointer,
                     .what = "redacted",
                     .why = fmt::format("a secret: {}", text.substr(label, end - label))});
    return;
  }
  for (const json::Member& member : value.members()) {
    mark_redacted(member.value, json::below(pointer, member.key.string()), is_before, parts, left);
  }
  std::size_t index = 0;
  for (const json::View item : value.items()) {
    mark_redacted(item, json::below(pointer, std::to_string(index++)), is_before, parts, left);
  }
}

// `text` is a JSON document, or plain text.
void mark_redacted(const ViewText& text, bool is_before, std::vector<ViewPart>& parts) {
  std::size_t left = kMostMarks;
  if (text.text.find(kMarker) == std::string::npos) return;
  const auto document = text.is_json
                            ? json::parse(json::Buffer(text.text), {.max_bytes = kLargestDocument})
                            : Result<json::Document>(json::parse(json::quote(text.text)));
  if (document) mark_redacted(document->root(), "", is_before, parts, left);
}

std::string_view reason_of_member(std::string_view name) {
  struct Named {
    std::string_view name;
    std::string_view why;
  };
  constexpr std::array<Named, 9> kNamed{{
      {"warnings", "warnings about the answer"},
      {"warning_details", "warnings about the answer"},
      {"pagination", "the next page"},
      {"rate_limit", "calls that are left"},
      {"telemetry", "what the call took"},
      {"content_fidelity", "how much is shown"},
      {"dropped_content_ids", "what is missing"},
      {"content_archive_hashes", "the handle of the original"},
      {"request_id", "the id of the call"},
  }};
  const auto found = std::ranges::find(kNamed, name, &Named::name);
  return found != kNamed.end() ? found->why : "added by Enfold";
}

// Adds a part for each member of the envelope that does not hold the payload, and for each member
// of such a member.
void mark_envelope(const ViewText& after, const FitSettings& settings,
                   std::vector<ViewPart>& parts) {
  const auto document = json::parse(json::Buffer(after.text), {.max_bytes = kLargestDocument});
  if (!document || !document->root().is_object()) return;
  const std::string why = fmt::format("envelope of {}", contract::name(settings.shape.contract));
  const auto cost = [&](json::View value) {
    return static_cast<std::size_t>(settings.tokenizer->count(value.raw()));
  };
  for (const json::Member& member : document->root().members()) {
    const std::string pointer = json::below("", member.key.string());
    const bool holds_payload =
        after.place == pointer || after.place.starts_with(pointer + "/") || after.place.empty();
    if (holds_payload) continue;
    parts.push_back({.is_before = false,
                     .pointer = pointer,
                     .what = "envelope",
                     .why = why,
                     .tokens = cost(member.value)});
    if (!member.value.is_object()) continue;
    for (const json::Member& inner : member.value.members()) {
      const std::string name = inner.key.string();
      parts.push_back({.is_before = false,
                       .pointer = json::below(pointer, name),
                       .what = "added",
                       .why = std::string(reason_of_member(name)),
                       .tokens = cost(inner.value)});
    }
  }
}

// Adds a part for the facts and one for the index, where the contract has them in the envelope.
void mark_made_by_fit(const ViewText& after, const budget::FitResult& fitted,
                      const FitSettings& settings, std::vector<ViewPart>& parts) {
  const auto document = json::parse(json::Buffer(after.text), {.max_bytes = kLargestDocument});
  if (!document) return;
  const auto add = [&](const std::optional<json::Value>& made, std::string_view what,
                       std::string_view why) {
    if (!made) return;
    const std::string text = json::to_text(made->view());
    const auto place = find_text(document->root(), text, kMadeDepth, "");
    if (!place) return;
    parts.push_back({.is_before = false,
                     .pointer = *place,
                     .what = std::string(what),
                     .why = std::string(why),
                     .tokens = static_cast<std::size_t>(settings.tokenizer->count(text))});
  };
  add(fitted.facts, "facts", "counts and ranges of the whole answer");
  add(fitted.index, "index", "rows for items, and lines of texts, that are not in the data");
}

void write_text(json::Writer& writer, std::string_view key, std::string_view place_key,
                const ViewText& text) {
  writer.key(key).begin_object().member("text", text.text).member("is_json", text.is_json);
  writer.member(place_key, text.place);
  write_size(writer, "size", text.size);
  writer.end_object();
}

void write_number_or_null(json::Writer& writer, std::string_view key,
                          std::optional<std::size_t> value) {
  writer.key(key);
  value ? writer.integer(static_cast<std::int64_t>(*value)) : writer.null();
}

void write_settings(json::Writer& writer, const View& view) {
  const FitSettings& settings = view.settings;
  // apply_budget() sets kLargestDocument for no limit of characters.
  const bool has_characters = settings.budget.characters < kLargestDocument;
  writer.key("settings").begin_object();
  writer.member("contract", contract::name(settings.shape.contract)).member("client", view.client);
  writer.member("level", model::name(settings.shape.level)).key("budget").begin_object();
  writer.member("tokens", settings.budget.tokens);
  write_number_or_null(writer, "characters",
                       has_characters ? std::optional(settings.budget.characters) : std::nullopt);
  write_number_or_null(writer, "lines", settings.budget.lines);
  writer.end_object().member("target", settings.target);
  writer.member("encoding", settings.tokenizer->name()).end_object();
}

void write_failure(json::Writer& writer, const std::optional<model::Failure>& failure) {
  writer.key("failure");
  if (!failure) {
    writer.null();
    return;
  }
  // By contract::Retry.
  constexpr std::array<std::string_view, 4> kRetries{"no", "after_check", "after_delay",
                                                     "with_backoff"};
  const auto retry = static_cast<std::size_t>(contract::traits(failure->kind).retry);
  writer.begin_object().member("kind", model::name(failure->kind)).member("code", failure->code);
  writer.member("message", failure->message).member("retry", kRetries.at(retry)).end_object();
}

void write_commands(json::Writer& writer, const View& view) {
  const bool is_default = view.settings.shape.contract == contract::Id::response_v2;
  writer.key("commands").begin_object();
  writer.member(
      "fit",
      fmt::format(
          "enfold fit --budget {}{}{}{} answer.json", view.settings.budget.tokens,
          view.client.empty() ? "" : " --client ", view.client,
          is_default ? "" : fmt::format(" --to {}", contract::name(view.settings.shape.contract))));
  writer.key("fetch");
  view.handle.empty() ? writer.null() : writer.string("enfold fetch " + view.handle);
  writer.end_object();
}

}  // namespace

ViewText text_of_result(json::View result, const FitSettings& settings) {
  if (const auto structured = result.find("structuredContent")) {
    return text_of(*structured, "", settings);
  }
  ViewText out;
  if (const auto content = result.find("content"); content && content->is_array()) {
    for (const json::View block : content->items()) {
      const auto text = block.is_object() ? block.find("text") : std::nullopt;
      if (!text || !text->is_string()) continue;
      out.text += (out.text.empty() ? "" : "\n") + text->string();
    }
  }
  const auto document = json::parse(json::Buffer(out.text), {.max_bytes = kLargestDocument});
  out.is_json = document && document->root().is_container();
  out.size = size_of(out.text, settings);
  return out;
}

Result<View> view_of(const ExplainedAnswer& explained, const Receipt& receipt,
                     const FitSettings& settings, std::string client, std::string written) {
  const FittedAnswer& finished = explained.finished;
  View view{.whole = explained.whole, .fits = explained.fits};
  view.settings = settings;
  view.client = std::move(client);
  view.before = before_of(explained.before, settings);
  if (written.empty()) {
    ENFOLD_TRY(const json::Output envelope, write_envelope(finished.answer, settings.shape));
    written = envelope.str();
  }
  view.after = {.text = std::move(written), .is_json = true, .size = finished.size};
  if (view.fits) view.after.size = explained.whole;
  const auto& payload = finished.fitted.payload;
  if (const auto document =
          json::parse(json::Buffer(view.after.text), {.max_bytes = kLargestDocument})) {
    view.after.place =
        find_text(document->root(), json::to_text(payload.view()), kPayloadDepth, "").value_or("");
  }
  for (const budget::Part& part : finished.fitted.parts) {
    view.parts.push_back({.is_before = true,
                          .pointer = part.pointer,
                          .what = std::string(part.what),
                          .why = std::string(reason_of(part.what)),
                          .tokens = part.tokens,
                          .items = part.count});
  }
  mark_redacted(view.before, /*is_before=*/true, view.parts);
  mark_redacted(view.after, /*is_before=*/false, view.parts);
  mark_envelope(view.after, settings, view.parts);
  mark_made_by_fit(view.after, finished.fitted, settings, view.parts);
  const model::Response& response = finished.answer.reading.response;
  view.fidelity = fidelity_of(finished);
  if (!view.fits) view.handle = receipt.handle;
  view.dropped_count = finished.fitted.dropped_count;
  view.schema_note = finished.fitted.schema_note;
  view.warnings = response.warnings;
  view.failure = response.failure;
  return view;
}

View view_of_results(json::View before, json::View after, const FitSettings& settings,
                     std::string client) {
  View view;
  view.settings = settings;
  view.client = std::move(client);
  view.before = text_of_result(before, settings);
  view.after = text_of_result(after, settings);
  view.before.size = size_of_result(before, *settings.tokenizer, settings.unit);
  view.after.size = size_of_result(after, *settings.tokenizer, settings.unit);
  view.before.place = before.find("structuredContent") ? "/structuredContent" : "/content/0/text";
  view.whole = view.before.size;
  mark_redacted(view.before, /*is_before=*/true, view.parts);
  mark_redacted(view.after, /*is_before=*/false, view.parts);
  return view;
}

void write_view(json::Writer& writer, const View& view) {
  write_settings(writer, view);
  write_text(writer, "before", "root", view.before);
  write_text(writer, "after", "payload", view.after);
  write_size(writer, "whole", view.whole);
  writer.member("fits", view.fits).key("parts").begin_array();
  for (const ViewPart& part : view.parts) {
    writer.begin_object().member("side", part.is_before ? "before" : "after");
    writer.member("pointer", part.pointer).member("what", part.what).member("why", part.why);
    writer.member("tokens", part.tokens).member("items", part.items).end_object();
  }
  writer.end_array().member("fidelity", model::name(view.fidelity)).key("handle");
  view.handle.empty() ? writer.null() : writer.string(view.handle);
  writer.member("dropped_count", view.dropped_count).key("schema_note");
  view.schema_note ? writer.string(*view.schema_note) : writer.null();
  writer.key("warnings").begin_array();
  for (const model::Warning& warning : view.warnings) {
    writer.begin_object().member("code", warning.code);
    writer.member("severity", model::name(warning.severity.value_or(model::Severity::warning)));
    writer.member("message", warning.message).end_object();
  }
  writer.end_array();
  write_failure(writer, view.failure);
  write_commands(writer, view);
}

}  // namespace enfold::answer
