// SPDX-License-Identifier: Apache-2.0
// What each tool takes. Input schemas and the checks of the arguments come from these lists.
#pragma once

#include "enfold/server/page.h"
#include "words.h"

#include <map>
#include <string>
#include <vector>

template <>
struct enfold::model::Names<memory::Match> {
  static constexpr std::array<std::string_view, 3> values{"all", "any", "phrase"};
};

namespace memory {

namespace server = enfold::server;
using server::argument;
using server::arguments;

inline constexpr double kLongestContent = 1'000'000;
inline constexpr std::string_view kNotBlank = "\\S";
inline constexpr double kMostTags = 50;
inline constexpr double kMostMoved = 100;

using Metadata = std::map<std::string, std::string>;

struct Store {
  std::string content;
  std::optional<std::string> scope;
  std::string category;
  std::vector<std::string> tags;
  std::optional<Metadata> metadata;
  static constexpr auto arguments() {
    return server::arguments(
        argument("content", &Store::content)
            .describe("What to remember")
            .at_least(1)
            .pattern(kNotBlank)
            .at_most(kLongestContent),
        argument("scope", &Store::scope).describe("Where it belongs, such as work/projects"),
        argument("category", &Store::category).at_most(100).defaulted(),
        argument("tags", &Store::tags).at_most(kMostTags).defaulted(),
        argument("metadata", &Store::metadata).describe("Made by the server unless given"));
  }
};

struct ById {
  std::string memory_id;
  static constexpr auto arguments() {
    return server::arguments(argument("memory_id", &ById::memory_id).at_least(1));
  }
};

struct Update {
  std::string memory_id;
  std::optional<std::string> content;
  std::optional<std::string> category;
  std::optional<std::vector<std::string>> tags;
  std::optional<Metadata> metadata;
  std::optional<std::int64_t> if_revision;
  static constexpr auto arguments() {
    return server::arguments(
        argument("memory_id", &Update::memory_id).at_least(1),
        argument("content", &Update::content)
            .at_least(1)
            .pattern(kNotBlank)
            .at_most(kLongestContent),
        argument("category", &Update::category).at_most(100),
        argument("tags", &Update::tags).describe("In place of the old ones").at_most(kMostTags),
        argument("metadata", &Update::metadata).describe("In place of the old one"),
        argument("if_revision", &Update::if_revision)
            .describe("Only if nobody has changed it since this revision"));
  }
};

struct Delete {
  std::vector<std::string> memory_ids;
  static constexpr auto arguments() {
    return server::arguments(argument("memory_ids", &Delete::memory_ids)
                                 .describe("One or several")
                                 .at_least(1)
                                 .at_most(kMostMoved));
  }
};

struct Move {
  std::vector<std::string> memory_ids;
  std::string scope;
  static constexpr auto arguments() {
    return server::arguments(
        argument("memory_ids", &Move::memory_ids).at_least(1).at_most(kMostMoved),
        argument("scope", &Move::scope).describe("Where they belong from now on"));
  }
};

struct List : server::PageRequest {
  static constexpr int page_size = 20;
  std::optional<std::string> scope;
  std::string category;
  std::string tag;
  static constexpr auto arguments() {
    return server::arguments(
        argument("scope", &List::scope).describe("Only this scope and those inside it"),
        argument("category", &List::category).defaulted(), argument("tag", &List::tag).defaulted());
  }
};

struct Search : List {
  std::string query;
  Match match = Match::all;
  static constexpr auto arguments() {
    return server::arguments(
        argument("query", &Search::query)
            .describe("Words to look for, or parts of words, in any script")
            .at_least(1)
            .at_most(1000),
        argument("match", &Search::match)
            .describe("all words, any of them, or the phrase as it is")
            .defaulted(),
        argument("scope", &Search::scope).describe("Only this scope and those inside it"),
        argument("category", &Search::category).defaulted(),
        argument("tag", &Search::tag).defaulted());
  }
};

struct Associate {
  std::string memory_id;
  std::string other_id;
  double strength = 1;
  static constexpr auto arguments() {
    return server::arguments(
        argument("memory_id", &Associate::memory_id).at_least(1),
        argument("other_id", &Associate::other_id).at_least(1),
        argument("strength", &Associate::strength)
            .describe("How closely they belong together; 0 ends the association")
            .at_least(0)
            .at_most(1)
            .defaulted());
  }
};

struct Associations : server::PageRequest {
  static constexpr int page_size = 20;
  std::string memory_id;
  std::int64_t steps = 1;
  static constexpr auto arguments() {
    return server::arguments(argument("memory_id", &Associations::memory_id).at_least(1),
                             argument("steps", &Associations::steps)
                                 .describe("How many associations away")
                                 .at_least(1)
                                 .at_most(4)
                                 .defaulted());
  }
};

struct ListScopes {
  std::optional<std::string> inside;
  static constexpr auto arguments() {
    return server::arguments(
        argument("inside", &ListScopes::inside).describe("Only this scope and those inside it"));
  }
};

}  // namespace memory
