// SPDX-License-Identifier: Apache-2.0
// The job in nlohmann::ordered_json; the default type would sort the members.
#include "bench/contestant.h"

#include <nlohmann/json.hpp>

namespace enfold::bench {

void with_nlohmann(Job job, std::string_view message, std::string* out) {
  using Json = nlohmann::ordered_json;
  Json document = Json::parse(message);
  if (job == Job::parse) return;
  Json envelope = Json::object();
  envelope["success"] = true;
  envelope["data"] = job == Job::shape_text
                         ? Json::parse(document["content"][0]["text"].get_ref<std::string&>())
                         : std::move(document["structuredContent"]);
  envelope["error"] = nullptr;
  envelope["meta"]["version"] = "response-v2";
  Json answer = Json::object();
  answer["content"] = Json::array();
  answer["structuredContent"] = std::move(envelope);
  answer["isError"] = false;
  std::string text = answer.dump();
  if (out != nullptr) *out = std::move(text);
}

}  // namespace enfold::bench
