// SPDX-License-Identifier: Apache-2.0
#include "fuzz/peers.h"

#include <nlohmann/json.hpp>
#include <simdjson.h>

namespace enfold::fuzz {
namespace {

namespace dom = simdjson::dom;

void walk(dom::element value, Events& events) {
  switch (value.type()) {
    case dom::element_type::NULL_VALUE: return events.null();
    case dom::element_type::BOOL: return events.boolean(value.get_bool().value_unsafe());
    case dom::element_type::INT64: return events.integer(value.get_int64().value_unsafe());
    case dom::element_type::UINT64:
      return events.unsigned_integer(value.get_uint64().value_unsafe());
    case dom::element_type::DOUBLE: return events.real(value.get_double().value_unsafe());
    case dom::element_type::STRING: return events.string(value.get_string().value_unsafe());
    case dom::element_type::ARRAY: {
      const dom::array array = value.get_array().value_unsafe();
      events.begin(false);
      for (const dom::element item : array) walk(item, events);
      return events.end(false);
    }
    case dom::element_type::OBJECT: {
      const dom::object object = value.get_object().value_unsafe();
      events.begin(true);
      for (const dom::key_value_pair member : object) {
        events.key(member.key);
        walk(member.value, events);
      }
      return events.end(true);
    }
  }
}

// The event interface, because the tree drops repeated keys and the order of members.
struct Sax {
  using json = nlohmann::json;
  Events& events;

  bool null() { return events.null(), true; }
  bool boolean(bool value) { return events.boolean(value), true; }
  bool number_integer(std::int64_t value) { return events.integer(value), true; }
  bool number_unsigned(std::uint64_t value) { return events.unsigned_integer(value), true; }
  bool number_float(double value, const std::string&) { return events.real(value), true; }
  bool string(std::string& value) { return events.string(value), true; }
  bool binary(json::binary_t&) { return false; }
  bool start_object(std::size_t) { return events.begin(true), true; }
  bool key(std::string& value) { return events.key(value), true; }
  bool end_object() { return events.end(true), true; }
  bool start_array(std::size_t) { return events.begin(false), true; }
  bool end_array() { return events.end(false), true; }
  bool parse_error(std::size_t, const std::string&, const json::exception&) { return false; }
};

}  // namespace

bool read_with_simdjson(std::string_view padded, Events& events) {
  static dom::parser parser;
  events.clear();
  dom::element root;
  if (parser.parse(padded.data(), padded.size(), false).get(root) != simdjson::SUCCESS) {
    return false;
  }
  walk(root, events);
  return true;
}

bool read_with_nlohmann(std::string_view text, Events& events) {
  events.clear();
  Sax sax{events};
  return nlohmann::json::sax_parse(text.data(), text.data() + text.size(), &sax);
}

}  // namespace enfold::fuzz
