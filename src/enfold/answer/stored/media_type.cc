// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/stored/media_type.h"

namespace enfold::answer {
namespace {

constexpr std::string_view kText = "text/plain";
constexpr std::string_view kJson = "application/json; contract=";
constexpr std::string_view kParsed = "; parsed";
constexpr std::string_view kOwn = "; own";

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

}  // namespace

std::string media_type(const StoredForm& read) {
  if (read.contract == contract::Id::text) return std::string(kText);
  std::string text(kJson);
  text += contract::name(read.contract);
  if (read.own) text += kOwn;
  return text;
}

std::optional<StoredForm> read_as(std::string_view media_type) {
  if (media_type == kText) return StoredForm{contract::Id::text};
  if (!media_type.starts_with(kJson)) return std::nullopt;
  media_type.remove_prefix(kJson.size());
  const bool own = take_suffix(media_type, kOwn);
  take_suffix(media_type, kParsed);  // written by 0.1.0
  const auto contract = contract::from_name(media_type);
  if (!contract) return std::nullopt;
  return StoredForm{*contract, own};
}

}  // namespace enfold::answer
