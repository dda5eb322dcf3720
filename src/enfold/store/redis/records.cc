// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/redis/records.h"

#include <charconv>
#include <fmt/format.h>

namespace enfold::store::detail {
namespace {

/// Removes a number and the separator after it from the front of `text`; nullopt: it does not begin
/// like that.
std::optional<std::int64_t> take_number(std::string_view& text, char separator) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc() || stop == end || *stop != separator) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()) + 1);
  return value;
}

/// The same for "length:text,".
std::optional<std::string> take_text(std::string_view& text) {
  const auto size = take_number(text, ':');
  if (!size || *size < 0 || static_cast<std::size_t>(*size) >= text.size()) return std::nullopt;
  const auto length = static_cast<std::size_t>(*size);
  if (text[length] != ',') return std::nullopt;
  std::string out(text.substr(0, length));
  text.remove_prefix(length + 1);
  return out;
}

}  // namespace

std::string encode_meta(const Meta& meta) {
  std::string out;
  for (const std::string* text : {&meta.tool, &meta.arguments_hash, &meta.media_type}) {
    out += fmt::format("{}:", text->size());
    out += *text;
    out += ',';
  }
  return out;
}

std::optional<Digest> digest_of_field(std::string_view field) {
  return digest_from_hex(field.substr(0, field.find(' ')));
}

std::optional<Row> decode_row(std::string_view field, std::string_view value) {
  Row row;
  const auto hash = digest_of_field(field);
  const std::size_t space = value.find(' ');
  if (!hash || space == std::string_view::npos) return std::nullopt;
  row.hash = *hash;
  row.handle = value.substr(0, space);
  value.remove_prefix(space + 1);
  const auto size = take_number(value, ' ');
  const auto stored = size ? take_number(value, ' ') : std::nullopt;
  const auto codec = stored ? take_number(value, ' ') : std::nullopt;
  const auto created = codec ? take_number(value, ' ') : std::nullopt;
  const auto expires = created ? take_number(value, '\n') : std::nullopt;
  if (!expires) return std::nullopt;
  row.size = static_cast<std::uint64_t>(*size);
  row.stored = static_cast<std::uint64_t>(*stored);
  row.codec = static_cast<Codec>(*codec);
  row.created = Time(std::chrono::seconds(*created));
  row.expires = Time(std::chrono::seconds(*expires));
  for (std::string* text : {&row.meta.tool, &row.meta.arguments_hash, &row.meta.media_type}) {
    auto taken = take_text(value);
    if (!taken) return std::nullopt;
    *text = *std::move(taken);
  }
  if (!value.empty()) return std::nullopt;
  return row;
}

}  // namespace enfold::store::detail
