// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/measure.h"
#include "enfold/base/numbers.h"
#include "enfold/base/text.h"
#include "enfold/check/rules.h"
#include "enfold/contract/contract.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/errors/source_code.h"
#include "enfold/json/document.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/mcp/wire/message.h"
#include "enfold/model/content.h"
#include "enfold/redact/redact.h"
#include "enfold/schema/schema.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace enfold::check {
namespace {

constexpr std::size_t kMaxQuoted = 80;  // bytes of an answer that a finding quotes

/// The parts of an answer that the rules use.
struct Parts {
  json::View result;
  bool is_error = false;
  std::optional<json::View> structured;         ///< structuredContent; nullopt: none
  std::vector<std::string> texts;               ///< of the content blocks
  std::vector<std::string> resources;           ///< texts of embedded resources
  std::optional<json::Document> text_document;  ///< if the only text is a JSON object or array

  /// Structured content, else `text_document`; nullopt: neither.
  [[nodiscard]] std::optional<json::View> data() const {
    if (structured) return structured;
    if (text_document) return text_document->root();
    return std::nullopt;
  }
};

Parts split_answer(json::View result) {
  Parts parts{.result = result};
  parts.is_error = model::is_failed_result(result);
  parts.structured = result.find("structuredContent");
  const auto content = result.find("content");
  if (content && content->is_array()) {
    for (const json::View block : content->items()) {
      if (const auto text = json::string_member(block, "text")) parts.texts.push_back(*text);
      const auto resource = mcp::object_member(block, "resource");
      const auto inner = resource ? json::string_member(*resource, "text") : std::nullopt;
      if (inner) parts.resources.push_back(*inner);
    }
  }
  if (parts.texts.size() == 1) {
    auto parsed = json::parse(std::string_view(parts.texts.front()));
    if (parsed && parsed->root().is_container()) parts.text_document = std::move(*parsed);
  }
  return parts;
}

// The beginning of a text, redacted and in quotes.
std::string quoted(std::string_view text) {
  const std::string safe = redact::redact_text(text, redact::Policy{});
  const std::string_view start = utf8::prefix(safe, kMaxQuoted);
  return json::quote(start) + (start.size() < safe.size() ? "…" : "");
}

// The end of a message that names only the first of `count` problems.
std::string and_more(std::size_t count, std::string_view one, std::string_view many) {
  return count <= 1 ? "" : fmt::format("; {} more {}", count - 1, count == 2 ? one : many);
}

// The first violation, and how many more there are.
std::string describe_violations(const schema::Validation& validation) {
  const schema::Violation& first = validation.violations.front();
  return fmt::format("{}expected {}, found {}{}",
                     first.instance.empty() ? "" : fmt::format("at {}, ", first.instance),
                     first.expected, redact::redact_text(first.found, redact::Policy{}),
                     and_more(validation.violations.size(), "violation", "violations"));
}

// The contract of the data; nullopt: the data are no envelope.
std::optional<contract::Id> contract_of(const Parts& parts) {
  const auto data = parts.data();
  if (!data || !data->is_object()) return std::nullopt;
  const contract::Id id = contract::detect(*data, contract::Position::inside_result);
  return contract::is_envelope(id) ? std::optional(id) : std::nullopt;
}

class AnswerChecker {
 public:
  AnswerChecker(const Parts& parts, const CheckOptions& options)
      : parts_(parts), options_(options) {}

  /// A limit of a client that the answer exceeds.
  struct Exceeded {
    const token::Profile* client;
    std::size_t found;
    std::size_t limit;
    std::string_view unit;
  };
  /// The clients (all, or that of the options) whose limits the answer exceeds, each with the first
  /// limit that it exceeds.
  [[nodiscard]] std::vector<Exceeded> exceeded_limits() const {
    std::string text;
    for (const std::string& one : parts_.texts) text += one;
    for (const std::string& one : parts_.resources) text += one;
    const std::string structured = parts_.structured ? json::to_text(*parts_.structured) : "";
    std::vector<Exceeded> over;
    // The sizes of the text and of the structured content, measured once per tokenizer and unit.
    std::map<std::pair<const token::Tokenizer*, token::CharacterUnit>,
             std::pair<budget::Size, budget::Size>>
        sizes;
    for (const token::Profile& profile : token::profiles()) {
      if (options_.client != nullptr && options_.client != &profile) continue;
      auto [at, is_new] = sizes.try_emplace({profile.tokenizer, profile.unit});
      if (is_new) {
        at->second = {answer::size_of(text, *profile.tokenizer, profile.unit),
                      answer::size_of(structured, *profile.tokenizer, profile.unit)};
      }
      if (const auto limit = exceeded(size_for_model(at->second, profile.reads), profile)) {
        over.push_back(*limit);
      }
    }
    return over;
  }

  Findings check_all() {
    check_contract_schema(contract::Id::mcp, parts_.result);
    check_contract();
    check_output_schema();
    check_double_emission();
    check_size();
    check_secrets();
    check_source_code();
    parts_.is_error ? check_error_shape() : check_hidden_failure();
    check_internal_failure();
    return std::move(out_);
  }

 private:
  void add(Rule rule, Severity severity, std::string what) {
    out_.push_back({rule, severity, std::move(what), options_.call});
  }

  void check_contract_schema(contract::Id id, json::View instance) {
    const auto validation = contract::validate(id, instance);
    if (!validation || validation->valid) return;
    add(Rule::contract, Severity::error,
        fmt::format("the answer is not valid in {}: {}",
                    id == contract::Id::mcp ? "the protocol" : contract::name(id),
                    describe_violations(*validation)));
  }

  void check_contract() {
    const auto found = contract_of(parts_);
    if (!options_.contract) {
      if (found) check_contract_schema(*found, *parts_.data());
      return;
    }
    const auto data = parts_.data();
    if (!data) {
      add(Rule::contract, Severity::error,
          fmt::format("expected an answer in {}, found one without an envelope",
                      contract::name(*options_.contract)));
    } else {
      check_contract_schema(*options_.contract, *data);
    }
  }

  void check_output_schema() {
    if (options_.output_schema == nullptr) return;
    if (!parts_.structured) {
      if (parts_.is_error) return;
      add(Rule::schema_drift, Severity::error,
          "the tool has an output schema, but the answer has no structuredContent; strict clients "
          "refuse it");
      return;
    }
    const auto validation = options_.output_schema->validate(*parts_.structured);
    if (!validation) {
      add(Rule::schema_drift, Severity::note,
          fmt::format("the answer could not be checked against the output schema: {}",
                      validation.error().message));
    } else if (!validation->valid) {
      add(Rule::schema_drift, parts_.is_error ? Severity::warning : Severity::error,
          fmt::format(
              "the structuredContent does not match the output schema: {}{}",
              describe_violations(*validation),
              parts_.is_error ? "; strict clients report this instead of the failure" : ""));
      out_.back().quotes_content = true;
    }
  }

  // Envelopes are no finding: they are sent as text and as structured content on purpose, so that a
  // client that reads only one of the two gets all.
  void check_double_emission() {
    if (!parts_.structured || contract_of(parts_)) return;
    for (const std::string& text : parts_.texts) {
      const auto parsed = json::parse(std::string_view(text));
      if (!parsed || !json::equal(parsed->root(), *parts_.structured)) continue;
      add(Rule::double_emission, Severity::note,
          fmt::format("the text repeats the structured content: {} tokens",
                      grouped(token::o200k_base().count(text))));
      return;
    }
  }

  void check_size() {
    const std::vector<Exceeded> over = exceeded_limits();
    if (over.empty()) return;
    const Exceeded& first = over.front();
    if (over.size() == 1) {
      add(Rule::size, Severity::warning,
          fmt::format("{} {}; a client of the profile \"{}\" shows at most {}",
                      grouped(first.found), first.unit, first.client->name, grouped(first.limit)));
      return;
    }
    std::vector<std::string> limits;
    for (const Exceeded& one : over) {
      limits.push_back(fmt::format("\"{}\" ({} {}, at most {})", one.client->name,
                                   grouped(one.found), one.unit, grouped(one.limit)));
    }
    add(Rule::size, Severity::warning,
        fmt::format("too long for clients of the profiles {}", fmt::join(limits, ", ")));
  }

  /// The size of what a client passes to its model. `sizes`: of the text and of the structured
  /// content. If it is not known which of the two the client passes, the larger numbers of both. Of
  /// a failure, clients that read structured content pass the text.
  [[nodiscard]] budget::Size size_for_model(const std::pair<budget::Size, budget::Size>& sizes,
                                            token::ResultPart reads) const {
    const auto& [text, structured] = sizes;
    switch (reads) {
      case token::ResultPart::text: return text;
      case token::ResultPart::structured:
        return parts_.structured && !parts_.is_error ? structured : text;
      case token::ResultPart::both: return answer::sum(text, structured);
      case token::ResultPart::text_or_structured: break;
    }
    return {std::max(text.tokens, structured.tokens),
            std::max(text.characters, structured.characters),
            std::max(text.lines, structured.lines)};
  }

  /// The first limit of the profile that the size exceeds.
  [[nodiscard]] std::optional<Exceeded> exceeded(const budget::Size& size,
                                                 const token::Profile& profile) const {
    if (size.tokens > profile.max_tokens) {
      return Exceeded{&profile, size.tokens, profile.max_tokens, "tokens"};
    }
    const bool has_own_limit = parts_.is_error && profile.max_failure_characters;
    const std::size_t characters =
        has_own_limit ? *profile.max_failure_characters : profile.max_characters;
    if (size.characters > characters) {
      return Exceeded{&profile, size.characters, characters,
                      profile.unit == token::CharacterUnit::byte ? "bytes" : "characters"};
    }
    if (profile.max_lines && !has_own_limit && size.lines > *profile.max_lines) {
      return Exceeded{&profile, size.lines, *profile.max_lines, "lines"};
    }
    return std::nullopt;
  }

  void check_secrets() {
    const auto redacted = redact::redact(parts_.result, redact::Policy{});
    if (!redacted || redacted->findings.empty()) return;
    std::map<std::string_view, std::pair<std::size_t, std::string>> by_label;
    for (const redact::Finding& one : redacted->findings) {
      auto& [count, place] = by_label[one.label];
      if (count++ == 0) place = one.pointer;
    }
    for (const auto& [label, found] : by_label) {
      const auto& [count, place] = found;
      add(Rule::secret, Severity::error,
          fmt::format("a credential ({}) at {}{}", label, place,
                      and_more(count, "place", "places")));
    }
  }

  /// scalpel-v1 forbids code in failures. The finding names the first place and does not quote it.
  void check_source_code() {
    const auto data = parts_.data();
    if (contract_of(parts_) != contract::Id::scalpel_v1 || !mcp::object_member(*data, "error")) {
      return;
    }
    for (const std::string_view member : {"error", "data", "upgrade_hints"}) {
      const auto value = data->find(member);
      const auto place = value ? place_of_code(*value, json::below("", member)) : std::nullopt;
      if (place)
        return add(Rule::source_code, Severity::error, fmt::format("source code at {}", *place));
    }
  }

  /// The place of the first string with source code in `value`, whose place is `place`; nullopt:
  /// none.
  static std::optional<std::string> place_of_code(json::View value, const std::string& place) {
    if (value.is_string()) {
      const std::string text = value.string();
      return contract::without_source(text) == text ? std::nullopt : std::optional(place);
    }
    std::size_t index = 0;
    for (const json::View item : value.items()) {
      if (auto found = place_of_code(item, json::below(place, std::to_string(index++)))) {
        return found;
      }
    }
    for (const json::Member& member : value.members()) {
      if (auto found = place_of_code(member.value, json::below(place, member.key.string()))) {
        return found;
      }
    }
    return std::nullopt;
  }

  /// A failure must say what went wrong, and should have a code.
  void check_error_shape() {
    const auto data = parts_.data();
    if (!data && parts_.texts.empty()) {
      add(Rule::error_shape, Severity::error,
          "isError is set, but the answer does not say what went wrong");
      return;
    }
    if (data && has_code(*data)) return;
    add(Rule::error_shape, Severity::warning,
        fmt::format("a failure without a code: {}",
                    quoted(data ? json::to_text(*data) : parts_.texts.front())));
  }

  /// A failure with the code of a bug is a fault of the server, which no caller can correct.
  void check_internal_failure() {
    const auto data = parts_.data();
    if (options_.expects_failure || !data || !data->is_object()) return;
    const auto reading = contract::read(contract::Id::mcp, parts_.result, {.tool = options_.tool});
    if (!reading || !reading->response.failure) return;
    const model::Failure& failure = *reading->response.failure;
    if (failure.code != contract::traits(model::ErrorKind::bug).code) return;
    add(Rule::outcome, Severity::warning,
        fmt::format("the tool failed inside the server: {}", quoted(failure.message)));
  }

  /// Whether the data have a code of the failure, in a member that usually holds one.
  static bool has_code(json::View data) {
    constexpr std::array<std::string_view, 6> names{"code",       "error_code", "errorCode",
                                                    "error_type", "category",   "kind"};
    for (const std::string_view name : names) {
      const auto member = data.find(name);
      if (member && (member->is_string() || member->is_number())) return true;
    }
    for (const std::string_view name : {"error", "data", "details"}) {
      const auto member = data.find(name);
      if (member && member->is_object() && has_code(*member)) return true;
    }
    const auto error = json::string_member(data, "error");
    return error && looks_like_code(*error);
  }

  /// Whether the text has the form of a code, such as NOT_FOUND, E42 or HTTP.404.
  static bool looks_like_code(std::string_view text) {
    const auto is_part = [](char c) {
      return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
    };
    return text.size() >= 2 && std::all_of(text.begin(), text.end(), is_part);
  }

  /// A success whose data or text say that the call failed.
  void check_hidden_failure() {
    contract::ReadOptions read_as;
    read_as.tool = options_.tool;
    const auto reading = contract::read(contract::Id::mcp, parts_.result, read_as);
    if (reading && reading->response.outcome == model::Outcome::failed) {
      add(Rule::hidden_failure, Severity::error,
          reading->origin.contract == contract::name(contract::Id::mcp)
              ? fmt::format("the data say that the call failed ({}), but isError is not set",
                            reading->rule)
              : fmt::format("the {} envelope says that the call failed, but isError is not set",
                            reading->origin.contract));
      return;
    }
    if (reading && is_suspect(reading->response)) {
      add(Rule::hidden_failure, Severity::warning,
          fmt::format("a success that reads like a failure: {}", quoted_data()));
      return;
    }
    // Reads each text alone, too: contract::read() has read all blocks together, which differs if
    // there are other blocks.
    if (parts_.texts.size() < 2 && parts_.resources.empty() && is_text_only()) return;
    for (const std::string& text : parts_.texts) {
      const contract::Reading alone = contract::read_text(text);
      if (!is_suspect(alone.response)) continue;
      add(Rule::hidden_failure, Severity::warning,
          fmt::format("a success that reads like a failure: {}", quoted(text)));
      return;
    }
  }

  /// Whether the answer has only text blocks, and the first of them only its type and text.
  [[nodiscard]] bool is_text_only() const {
    const auto content = parts_.result.find("content");
    return content && content->size() == parts_.texts.size() && !parts_.structured &&
           content->size() > 0 && content->item(0)->size() == 2;
  }

  [[nodiscard]] std::string quoted_data() const {
    const auto data = parts_.data();
    return quoted(data ? json::to_text(*data) : parts_.texts.empty() ? "" : parts_.texts.front());
  }

  /// Whether reading the answer gave the warning that it may be a failure.
  static bool is_suspect(const model::Response& response) {
    return std::any_of(response.warnings.begin(), response.warnings.end(),
                       [](const model::Warning& one) { return one.code == "POSSIBLE_FAILURE"; });
  }

  const Parts& parts_;
  const CheckOptions& options_;
  Findings out_;
};

// Whether the client itself handles the code, not its model: authorization, URL elicitation,
// capabilities.
bool is_for_the_client(std::int64_t code) { return code >= -32099 && code <= -32020; }

}  // namespace

std::optional<contract::Id> contract_in(json::View result) {
  return contract_of(split_answer(result));
}

Findings check_answer(json::View result, const CheckOptions& options) {
  const Parts parts = split_answer(result);
  return AnswerChecker(parts, options).check_all();
}

std::vector<const token::Profile*> too_large_for(json::View result) {
  const Parts parts = split_answer(result);
  std::vector<const token::Profile*> clients;
  for (const auto& one : AnswerChecker(parts, {}).exceeded_limits()) clients.push_back(one.client);
  return clients;
}

Findings check_refusal(const mcp::RpcError& refusal, const CheckOptions& options) {
  if (is_for_the_client(refusal.code)) return {};
  return {{Rule::error_shape, Severity::warning,
           fmt::format(
               "JSON-RPC error {} instead of a result with isError, which models do not see: {}",
               refusal.code, quoted(refusal.message)),
           options.call}};
}

}  // namespace enfold::check
