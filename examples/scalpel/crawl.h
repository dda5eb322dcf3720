// SPDX-License-Identifier: Apache-2.0
// The tool `crawl_project`: what a folder holds, by language, and what of it cannot be read.
#pragma once

#include "enfold/server/fields.h"
#include "workbench.h"

namespace scalpel {

struct CrawlRequest {
  std::string path = ".";
  static constexpr auto arguments() {
    return server::arguments(server::argument("path", &CrawlRequest::path)
                                 .describe("Folder below the source folder")
                                 .defaulted());
  }
};

struct LanguageLine {
  Language language = Language::python;
  std::size_t files = 0;
  std::size_t lines = 0;
  std::size_t symbols = 0;
  static constexpr auto fields() {
    using Line = LanguageLine;
    return level::fields(level::field("language", &Line::language, Level::minimal),
                         level::field("files", &Line::files, Level::minimal),
                         level::field("lines", &Line::lines, Level::minimal),
                         level::field("symbols", &Line::symbols, Level::minimal)
                             .describe("Functions, classes and methods"));
  }
};

struct FileLine {
  std::string file;
  Language language = Language::python;
  std::size_t lines = 0;
  std::size_t symbols = 0;
  static constexpr auto fields() {
    return level::fields(level::field("file", &FileLine::file, Level::minimal),
                         level::field("language", &FileLine::language, Level::minimal),
                         level::field("lines", &FileLine::lines, Level::minimal),
                         level::field("symbols", &FileLine::symbols, Level::minimal));
  }
};

struct Inventory {
  bool success = true;
  std::vector<LanguageLine> languages;
  Coverage coverage;
  std::vector<std::string> warnings;
  std::vector<FileLine> files;
  static constexpr auto fields() {
    using This = Inventory;
    return level::fields(level::field("success", &This::success, Level::minimal),
                         level::field("languages", &This::languages, Level::minimal)
                             .required()
                             .describe("Of the files that were analysed"),
                         level::field("coverage", &This::coverage, Level::minimal),
                         level::field("warnings", &This::warnings, Level::minimal),
                         level::field("files", &This::files, Level::standard));
  }
};

[[nodiscard]] server::Answer<Inventory> crawl(const Workbench& bench, const CrawlRequest& asked,
                                              server::Context& context);

}  // namespace scalpel
