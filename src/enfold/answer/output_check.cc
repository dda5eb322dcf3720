// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/output_check.h"

#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/model/content.h"

#include <fmt/format.h>

namespace enfold::answer {
namespace {

constexpr std::string_view kStructured = "/structuredContent";
constexpr std::size_t kMostViolations = 3;  // in the details of a failure
constexpr std::size_t kLongestFound = 120;  // bytes of an expected or found value in a message

// Violation::found if the check was given up.
constexpr const char* kUnchecked = "more work than the limits allow";

// Whether the check was given up at its limits, so that the answer may match after all.
bool is_unchecked(const SchemaMismatch& mismatch) {
  return mismatch.violations.front().found == kUnchecked;
}

bool accepts(const budget::OutputSchema& schema, json::View value) {
  const Result<bool> accepted = schema.accepts(value);
  return accepted && *accepted;
}

// Whether the first text block is JSON that the schema accepts.
bool first_text_matches(json::View result, const budget::OutputSchema& schema) {
  const auto content = result.find("content");
  if (!content) return false;
  for (const json::View block : content->items()) {
    const auto text = block.find("text");
    if (!text || !text->is_string()) continue;
    const auto parsed = json::parse(std::string_view(text->string()));
    return parsed && accepts(schema, parsed->root());
  }
  return false;
}

// The text, cut at kLongestFound bytes.
std::string brief(std::string text) {
  if (text.size() <= kLongestFound) return text;
  std::size_t end = kLongestFound;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

// For structured content that matches the schema: whether it was read as an envelope, and the
// payload inside, which is what Enfold sends, does not match.
bool is_unexpected_envelope(const contract::Reading& reading, const DeclaredOutput& declared) {
  const auto from = contract::from_name(reading.origin.contract);
  if (declared.is_envelope || !from || !contract::is_envelope(*from)) return false;
  const model::Response& response = reading.response;
  return !response.failure &&
         !(response.payload && accepts(*declared.schema, response.payload->view()));
}

}  // namespace

std::optional<SchemaMismatch> check_output(const ReadAnswer& answer,
                                           const DeclaredOutput& declared) {
  const budget::OutputSchema& schema = *declared.schema;
  const json::View result = answer.source.view();
  if (model::is_failed_result(result)) return std::nullopt;
  const auto structured = result.find("structuredContent");
  if (!structured) {
    const auto& payload = answer.reading.response.payload;
    const bool text_matches =
        (payload && accepts(schema, payload->view())) || first_text_matches(result, schema);
    return SchemaMismatch{.text_matches = text_matches,
                          .violations = {{.instance = std::string(kStructured),
                                          .schema = {},
                                          .expected = "what the tool's schema describes",
                                          .found = "missing"}}};
  }
  const Result<schema::Validation> checked = schema.validate(*structured, kMostViolations);
  if (!checked) {
    return SchemaMismatch{.text_matches = false,
                          .violations = {{.instance = std::string(kStructured),
                                          .schema = {},
                                          .expected = {},
                                          .found = kUnchecked}}};
  }
  if (checked->valid) {
    if (!is_unexpected_envelope(answer.reading, declared)) return std::nullopt;
    return SchemaMismatch{
        .text_matches = false,
        .violations = {{.instance = std::string(kStructured),
                        .schema = {},
                        .expected = "no envelope, as the tool's schema describes none",
                        .found = answer.reading.origin.contract}}};
  }
  SchemaMismatch found{.text_matches = false, .violations = checked->violations};
  for (schema::Violation& one : found.violations) {
    one.instance.insert(0, kStructured);
    one.found = brief(std::move(one.found));
    one.expected = brief(std::move(one.expected));
  }
  return found;
}

model::Warning warning_of(const SchemaMismatch& mismatch) {
  if (mismatch.text_matches) {
    return contract::make_warning("SCHEMA_REPAIRED",
                                  "The tool left out its structured content; the text has it");
  }
  if (is_unchecked(mismatch)) {
    return contract::make_warning(
        "SCHEMA_MISMATCH",
        fmt::format("Not checked against the schema that the tool declares: it takes {}",
                    kUnchecked));
  }
  const schema::Violation& first = mismatch.violations.front();
  return contract::make_warning("SCHEMA_MISMATCH",
                                fmt::format("Not as the tool declares, {}: expected {}, found {}",
                                            first.instance, first.expected, first.found));
}

model::Response failure_of(const SchemaMismatch& mismatch, const std::string& tool,
                           const std::string& handle, const std::string& request_id) {
  const schema::Violation& first = mismatch.violations.front();
  json::Writer details;
  details.begin_object().key("violations").begin_array();
  for (const schema::Violation& one : mismatch.violations) {
    details.begin_object().member("pointer", one.instance);
    if (!one.expected.empty()) details.member("expected", one.expected);
    details.member("found", one.found).end_object();
  }
  details.end_array();
  if (!handle.empty()) details.member("original", handle);
  details.end_object();
  contract::failures::Other failure;
  failure.code = "OUTPUT_SCHEMA_MISMATCH";
  failure.type = model::ErrorType::internal;
  failure.message = fmt::format("{} broke its own output schema at {}: expected {}, found {}", tool,
                                first.instance, first.expected, first.found);
  if (is_unchecked(mismatch)) {
    failure.message = fmt::format(
        "The answer of {} cannot be checked against its output schema: "
        "it takes {}",
        tool, kUnchecked);
  }
  if (!handle.empty()) {
    failure.extra.remediation.push_back(fmt::format(
        "Call {} with handle {} to see what the tool answered.", kFetchToolName, handle));
  }
  failure.extra.remediation.emplace_back("Report it to the operator of the server.");
  failure.extra.details = std::move(details).finish_value();
  failure.extra.request_id = request_id;
  return contract::make_failure(failure);
}

}  // namespace enfold::answer
