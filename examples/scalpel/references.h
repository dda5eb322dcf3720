// SPDX-License-Identifier: Apache-2.0
// The tool `get_symbol_references`: the lines of code on which a name stands. It compares names;
// two symbols of one name are one to it.
#pragma once

#include "enfold/server/fields.h"
#include "workbench.h"

namespace scalpel {

struct ReferencesRequest {
  std::string symbol;
  std::string path = ".";
  static constexpr auto arguments() {
    using Request = ReferencesRequest;
    return server::arguments(
        server::argument("symbol", &Request::symbol)
            .describe("Name of a function, class or method: close. Of Account.close the last part "
                      "is compared")
            .at_least(1)
            .at_most(200),
        server::argument("path", &Request::path)
            .describe("File or folder below the source folder")
            .defaulted());
  }
};

struct Reference {
  std::string file;
  std::size_t line = 0;
  bool definition = false;
  static constexpr auto fields() {
    return level::fields(level::field("file", &Reference::file, Level::minimal),
                         level::field("line", &Reference::line, Level::minimal),
                         level::field("definition", &Reference::definition, Level::minimal)
                             .when(&Reference::definition)
                             .describe("A function, class or method of this name begins here"));
  }
};

struct References {
  bool success = true;
  std::string symbol;
  std::vector<Reference> references;
  std::size_t references_left_out = 0;
  Coverage coverage;
  std::vector<std::string> warnings;

  [[nodiscard]] bool left_references_out() const { return references_left_out > 0; }
  static constexpr auto fields() {
    using This = References;
    return level::fields(
        level::field("success", &This::success, Level::minimal),
        level::field("symbol", &This::symbol, Level::minimal),
        level::field("references", &This::references, Level::minimal).required(),
        level::field("references_left_out", &This::references_left_out, Level::minimal)
            .when(&This::left_references_out)
            .describe("Found beyond the tier's limit"),
        level::field("coverage", &This::coverage, Level::minimal),
        level::field("warnings", &This::warnings, Level::minimal));
  }
};

[[nodiscard]] server::Answer<References> find_references(const Workbench& bench,
                                                         const ReferencesRequest& asked,
                                                         server::Context& context);

}  // namespace scalpel
