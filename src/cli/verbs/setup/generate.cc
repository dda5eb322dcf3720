// SPDX-License-Identifier: Apache-2.0
// `enfold generate`: writes man pages and completions. The verb is hidden, because the build runs
// it and users get the files with the package.
#include "cli/clients/find.h"
#include "cli/pages/pages.h"
#include "cli/settings/archive_place.h"
#include "cli/verbs/verbs.h"

#include <algorithm>
#include <fmt/core.h>
#include <fstream>
#include <system_error>

namespace enfold::cli {
namespace {

namespace fs = std::filesystem;

struct GenerateOptions {
  std::string kind;    ///< man, bash, zsh, fish or all
  std::string folder;  ///< to write to
  bool as_json = false;
  std::span<const Verb> verbs;
};

// The date of SOURCE_DATE_EPOCH, so that two builds of one commit write the same pages; today if it
// is not set.
std::string page_date() {
  const std::string epoch = environment_variable("SOURCE_DATE_EPOCH");
  store::Time time = now();
  if (!epoch.empty()) time = store::Time(std::chrono::seconds(std::atoll(epoch.c_str())));
  return to_text(time).substr(0, 10);
}

Result<std::vector<PageFile>> make_pages(const GenerateOptions& options) {
  ProgramPage program = describe_program(options.verbs);
  add_known_values(program);
  std::vector<PageFile> out;
  const bool all = options.kind == "all";
  if (all || options.kind == "man") {
    out = man_pages(program, page_date());
    out.push_back(config_man_page(program, page_date()));
  }
  if (all || options.kind == "bash") out.push_back(bash_completion(program));
  if (all || options.kind == "zsh") out.push_back(zsh_completion(program));
  if (all || options.kind == "fish") out.push_back(fish_completion(program));
  if (!out.empty()) return out;
  return fail(ErrorCode::invalid_input,
              fmt::format("expected man, bash, zsh, fish or all, found \"{}\"", options.kind));
}

int run_generate(const GenerateOptions& options, Terminal& terminal) {
  const Result<std::vector<PageFile>> pages = make_pages(options);
  if (!pages) return terminal.report_usage(pages.error());
  for (const PageFile& page : *pages) {
    const fs::path path = fs::path(options.folder) / page.path;
    std::error_code ignored;
    fs::create_directories(path.parent_path(), ignored);
    std::ofstream file(path, std::ios::binary);
    file << page.text;
    file.close();
    if (!file) {
      return terminal.report({ErrorCode::unavailable, "cannot write the file", path.string(),
                              "check the mode of the folder"});
    }
  }
  if (options.as_json) {
    json::Writer writer;
    writer.begin_object().key("files").begin_array();
    for (const PageFile& page : *pages) writer.string(page.path);
    writer.end_array().end_object();
    terminal.out_line(std::move(writer).finish());
  }
  return kOk;
}

}  // namespace

Run set_up_generate(Arguments& arguments) {
  const auto options = std::make_shared<GenerateOptions>();
  options->verbs = arguments.verbs();
  arguments.positional("KIND", options->kind, "man, bash, zsh, fish or all");
  arguments.require("KIND", "man, bash, zsh, fish or all");
  arguments.positional("FOLDER", options->folder,
                       "Where to write man1/, man5/, bash/, zsh/, fish/");
  arguments.require("FOLDER", "pass the folder to write to");
  arguments.flag("--json", options->as_json, "One JSON object: files");
  arguments.footer("Examples:\n  enfold generate all build/pages");
  return [options](Terminal& terminal) { return run_generate(*options, terminal); };
}

}  // namespace enfold::cli
