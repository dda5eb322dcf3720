// SPDX-License-Identifier: Apache-2.0
// The job in Boost.JSON: one arena for a message, which is its fastest way.
#include "bench/contestant.h"

#include <algorithm>
#include <boost/json.hpp>

namespace enfold::bench {
namespace {

namespace bj = boost::json;

std::string written(const bj::value& value, std::size_t expected) {
  static bj::serializer serializer;
  serializer.reset(&value);
  std::string out;
  out.reserve(expected);
  char piece[65536];
  while (!serializer.done()) {
    const bj::string_view part = serializer.read(piece);
    out.append(part.data(), part.size());
  }
  return out;
}

}  // namespace

void with_boost_json(Job job, std::string_view message, std::string* out) {
  bj::monotonic_resource arena(std::max<std::size_t>(message.size(), 4096));
  const bj::storage_ptr storage(&arena);
  bj::value document = bj::parse({message.data(), message.size()}, storage);
  if (job == Job::parse) return;
  bj::object& result = document.as_object();
  bj::value payload(storage);
  if (job == Job::shape_text) {
    const bj::string& text = result["content"].as_array()[0].as_object()["text"].as_string();
    payload = bj::parse(text, storage);
  } else {
    payload = std::move(result["structuredContent"]);
  }
  bj::object envelope(storage);
  envelope["success"] = true;
  envelope["data"] = std::move(payload);
  envelope["error"] = nullptr;
  envelope["meta"] = bj::object({{"version", "response-v2"}}, storage);
  bj::object answer(storage);
  answer["content"] = bj::array(storage);
  answer["structuredContent"] = std::move(envelope);
  answer["isError"] = false;
  std::string text = written(bj::value(std::move(answer)), message.size() + 256);
  if (out != nullptr) *out = std::move(text);
}

}  // namespace enfold::bench
