// SPDX-License-Identifier: Apache-2.0
// Generated JSON texts together with what they say, kept as a plain tree that was never parsed.
// A text is made from a list of bytes, so that RapidCheck shrinks the text by shrinking the list.
#pragma once

#include "enfold/json/document.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace enfold::json::testing {

struct Node {
  Kind kind = Kind::null;
  std::string text;     ///< as it stands in the document, white space inside included
  std::string minimal;  ///< without white space between tokens
  std::string decoded;  ///< strings only
  bool lone_surrogate = false;
  std::vector<Node> keys;  ///< as many as `children` in objects
  std::vector<Node> children;
};

class TextBuilder {
 public:
  explicit TextBuilder(std::vector<std::uint8_t> choices) : choices_(std::move(choices)) {}

  Node value(int depth = 0) {
    // Once the list is used up every choice is 0, which is `null`: texts always end.
    const std::size_t kind = choose(depth == 0 ? 30 : depth < 7 ? 10 : 6);
    switch (kind) {
      case 0: return plain(Kind::null, "null");
      case 1: return plain(Kind::boolean, choose(2) == 0 ? "true" : "false");
      case 2:
      case 3: return plain(Kind::number, number());
      case 4:
      case 5: return string(false);
      default: return kind % 2 == 0 ? array(depth) : object(depth);
    }
  }
  std::string space() {
    static const std::vector<std::string> spaces = {"", "", "", "", "", " ", "\n", "\t", "\r\n  "};
    return pick(spaces);
  }

 private:
  std::size_t choose(std::size_t options) {
    return at_ < choices_.size() ? choices_[at_++] % options : 0;
  }
  const std::string& pick(const std::vector<std::string>& list) {
    return list[choose(list.size())];
  }

  static Node plain(Kind kind, const std::string& text) {
    Node node;
    node.kind = kind;
    node.text = text;
    node.minimal = text;
    return node;
  }
  std::string number() {
    static const std::vector<std::string> integers = {"0",
                                                      "1",
                                                      "10",
                                                      "42",
                                                      "9007199254740993",
                                                      "9223372036854775808",
                                                      "18446744073709551616",
                                                      "123456789012345678901234567890"};
    static const std::vector<std::string> fractions = {"", "", ".0", ".5", ".10", ".000"};
    static const std::vector<std::string> exponents = {"",    "",     "",      "e0",     "E5",
                                                       "e+2", "e-07", "e-400", "E+00400"};
    const std::string sign = choose(3) == 1 ? "-" : "";
    return sign + pick(integers) + pick(fractions) + pick(exponents);
  }
  Node string(bool key);
  Node array(int depth);
  Node object(int depth);

  std::vector<std::uint8_t> choices_;
  std::size_t at_ = 0;
};

struct Piece {
  std::string source;
  std::string decoded;
  bool high = false;  ///< a lone high surrogate, which pairs with a low one right after it
  bool low = false;
};

inline Node TextBuilder::string(bool key) {
  static const std::vector<Piece> keys = {{"a", "a"}, {"b", "b"}, {"\\u0061", "a"}, {"", ""}};
  static const std::vector<Piece> pieces = {
      {"x", "x"},
      {"longer than one block of sixteen or thirty-two bytes",
       "longer than one block of sixteen "
       "or thirty-two bytes"},
      {"\\n", "\n"},
      {"\\\"", "\""},
      {"\\\\", "\\"},
      {"\\/", "/"},
      {"/", "/"},
      {"\\u0000", std::string(1, '\0')},
      {"\\u001f", "\x1f"},
      {"\\u00E9", "\u00e9"},
      {"\u00e9", "\u00e9"},
      {"\u20ac", "\u20ac"},
      {"\U0001F600", "\U0001F600"},
      {"\\ud83d\\uDE00", "\U0001F600"},
      {"\x7f", "\x7f"},
      {"\\ud800", "\xED\xA0\x80", true, false},
      {"\\uDFFF", "\xED\xBF\xBF", false, true},
  };
  Node node;
  node.kind = Kind::string;
  std::string source;
  if (key && choose(2) == 0) {
    const Piece& piece = keys[choose(keys.size())];
    source = piece.source;
    node.decoded = piece.decoded;
  } else {
    bool after_high = false;
    for (std::size_t left = choose(5); left > 0; --left) {
      const Piece& piece = pieces[choose(pieces.size())];
      if (piece.low && after_high) continue;  // together they would be one letter, not two halves
      after_high = piece.high;
      source += piece.source;
      node.decoded += piece.decoded;
      node.lone_surrogate = node.lone_surrogate || piece.high || piece.low;
    }
  }
  node.text = '"' + source + '"';
  node.minimal = node.text;
  return node;
}

inline Node TextBuilder::array(int depth) {
  Node node;
  node.kind = Kind::array;
  node.text = "[" + space();
  node.minimal = "[";
  for (std::size_t left = choose(5); left > 0; --left) {
    Node child = value(depth + 1);
    const std::string comma = left > 1 ? "," : "";
    node.text += child.text + space() + comma + (left > 1 ? space() : "");
    node.minimal += child.minimal + comma;
    node.children.push_back(std::move(child));
  }
  node.text += "]";
  node.minimal += "]";
  return node;
}

inline Node TextBuilder::object(int depth) {
  Node node;
  node.kind = Kind::object;
  node.text = "{" + space();
  node.minimal = "{";
  for (std::size_t left = choose(6); left > 0; --left) {
    Node key = string(true);
    node.text += key.text + space() + ":" + space();
    Node child = value(depth + 1);
    const std::string comma = left > 1 ? "," : "";
    node.text += child.text + space() + comma + (left > 1 ? space() : "");
    node.minimal += key.minimal + ":" + child.minimal + comma;
    node.keys.push_back(std::move(key));
    node.children.push_back(std::move(child));
  }
  node.text += "}";
  node.minimal += "}";
  return node;
}

/// The value as a reader has it: of equal keys the last.
inline std::map<std::string, const Node*> by_key(const Node& object) {
  std::map<std::string, const Node*> members;
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    members.insert_or_assign(object.keys[i].decoded, &object.children[i]);
  }
  return members;
}

inline bool same_value(const Node& a, const Node& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == Kind::string) return a.decoded == b.decoded;
  if (a.kind == Kind::array) {
    bool same = a.children.size() == b.children.size();
    for (std::size_t i = 0; same && i < a.children.size(); ++i) {
      same = same_value(a.children[i], b.children[i]);
    }
    return same;
  }
  if (a.kind != Kind::object) return a.text == b.text;
  const auto left = by_key(a);
  const auto right = by_key(b);
  bool same = left.size() == right.size();
  for (const auto& [key, value] : left) {
    const auto found = right.find(key);
    same = same && found != right.end() && same_value(*value, *found->second);
  }
  return same;
}

/// Repeated keys of all objects in it, each repetition counted once.
inline std::size_t repeated_keys(const Node& node) {
  std::size_t count = node.keys.size() - by_key(node).size();
  for (const Node& child : node.children) count += repeated_keys(child);
  return count;
}

inline bool has_lone_surrogate(const Node& node) {
  bool found = node.lone_surrogate;
  for (const Node& key : node.keys) found = found || has_lone_surrogate(key);
  for (const Node& child : node.children) found = found || has_lone_surrogate(child);
  return found;
}

}  // namespace enfold::json::testing
