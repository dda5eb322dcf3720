// SPDX-License-Identifier: Apache-2.0
#include "enfold/model/content.h"

#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/json/number.h"

namespace enfold::model {
namespace {

// Writes the object without its member `key`, a Base64 text; in its place, `size` and `hash` of the
// decoded bytes, or of the text itself if it is not Base64.
void describe_member(json::View object, std::string_view key, json::Writer& writer) {
  writer.begin_object();
  for (const json::Member& member : object.members()) {
    if (!member.key.equals(key)) {
      writer.key(member.key).value(member.value);
      continue;
    }
    const std::string bytes =
        from_base64(member.value.string_source()).value_or(member.value.string());
    writer.member("size", static_cast<std::int64_t>(bytes.size()));
    writer.member("hash", sha256_name(bytes));
  }
  writer.end_object();
}

}  // namespace

std::optional<json::View> binary_member(json::View block) {
  std::optional<json::View> found;
  if (has_type(block, "image") || has_type(block, "audio")) {
    found = block.find("data");
  } else if (has_type(block, "resource")) {
    const auto resource = block.find("resource");
    found = resource ? resource->find("blob") : std::nullopt;
  }
  return found && found->is_string() ? found : std::nullopt;
}

void write_block_description(json::View block, json::Writer& writer) {
  if (!binary_member(block)) {
    writer.value(block);
  } else if (!has_type(block, "resource")) {
    describe_member(block, "data", writer);
  } else {
    writer.begin_object();
    for (const json::Member& member : block.members()) {
      writer.key(member.key);
      if (member.key.equals("resource")) {
        describe_member(member.value, "blob", writer);
      } else {
        writer.value(member.value);
      }
    }
    writer.end_object();
  }
}

bool is_failed_result(json::View result) {
  const auto flag = result.find("isError");
  if (!flag) return false;
  if (flag->is_number()) return !json::Number(flag->number()).is_zero();
  if (flag->is_string()) return to_lower(flag->string()) == "true";
  return flag->boolean();
}

}  // namespace enfold::model
