// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/withhold.h"

#include "enfold/contract/errors/source_code.h"

namespace enfold::answer {

bool withhold_source(ReadAnswer& answer, const ShapeSettings& settings) {
  if (!forbids_source(answer, settings)) return false;
  return contract::withhold_source(answer.reading.response) || !foreign_members(answer).empty();
}

bool is_archive_link(json::View block) {
  const auto uri = json::string_member(block, "uri");
  if (!uri || !uri->starts_with("enfold://archive/") || !contract::is_plain_name(*uri))
    return false;
  for (const json::Member& member : block.members()) {
    if (member.value.is_container()) return false;
    const bool is_text = member.value.is_string();
    if (is_text && contract::without_source(member.value.string()) != member.value.string()) {
      return false;
    }
  }
  return true;
}

}  // namespace enfold::answer
