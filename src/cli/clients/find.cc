// SPDX-License-Identifier: Apache-2.0
#include "cli/clients/find.h"

#include "cli/input/input.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <system_error>

namespace enfold::cli {
namespace {

namespace fs = std::filesystem;

// The folders that may be the root of the current project, innermost first.
std::vector<fs::path> project_folders(const fs::path& home) {
  std::error_code ignored;
  const fs::path current = fs::current_path(ignored);
  std::vector<fs::path> out;
  for (fs::path folder = current; !folder.empty(); folder = folder.parent_path()) {
    if (folder == home && folder != current) break;
    out.push_back(folder);
    if (fs::exists(folder / ".git", ignored)) return out;
    if (folder == folder.root_path()) break;
  }
  // Without a repository only the current folder is known to be a project.
  if (out.size() > 1) out.resize(1);
  return out;
}

// The existing files that a path matches; its step *, if it has one, matches any folder.
std::vector<fs::path> expand(const fs::path& path) {
  std::error_code ignored;
  const std::string text = path.string();
  const std::size_t star = text.find("/*/");
  if (star == std::string::npos) {
    return fs::is_regular_file(path, ignored) ? std::vector{path} : std::vector<fs::path>();
  }
  std::vector<fs::path> out;
  for (const fs::directory_entry& entry : fs::directory_iterator(text.substr(0, star), ignored)) {
    const fs::path inner = entry.path() / text.substr(star + 3);
    if (fs::is_regular_file(inner, ignored)) out.push_back(inner);
  }
  std::ranges::sort(out);
  return out;
}

Result<gateway::ClientSettings> read_file(const fs::path& path,
                                          const gateway::ClientFormat* format) {
  std::error_code ignored;
  const bool is_file = path == "-" || fs::is_regular_file(path, ignored);
  if (!is_file && fs::exists(path, ignored) && !fs::is_directory(path, ignored)) {
    // Reading a FIFO would wait for a writer.
    return fail(ErrorCode::invalid_input, "expected a regular file", display_name(path.string()));
  }
  Result<json::Buffer> bytes = read_all(path.string(), {});
  if (!bytes) {
    if (bytes.error().where.empty()) bytes.error().where = display_name(path.string());
    return tl::unexpected(std::move(bytes).error());
  }
  return gateway::ClientSettings::read(std::string(bytes->view()), display_name(path.string()),
                                       format);
}

}  // namespace

std::string environment_variable(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  return value == nullptr ? "" : value;
}

gateway::ClientFolders client_folders() {
  gateway::ClientFolders out;
  const fs::path home = environment_variable("HOME");
  if (home.is_absolute()) out.home = home;
  // A relative path is ignored, as the XDG base directory specification says.
  const fs::path config = environment_variable("XDG_CONFIG_HOME");
  if (config.is_absolute()) {
    out.config = config;
  } else if (!out.home.empty()) {
    out.config = out.home / ".config";
  }
  out.projects = project_folders(out.home);
  out.variable = environment_variable;
  return out;
}

FoundSettings read_settings(const fs::path& path, const gateway::ClientFormat* format) {
  FoundSettings out{.format = format, .path = path, .settings = read_file(path, format)};
  if (out.settings) out.format = &out.settings->format();
  return out;
}

std::vector<FoundSettings> find_settings(const std::string& client) {
  std::vector<FoundSettings> out;
  std::set<fs::path> seen;
  for (const gateway::ClientFile& file : gateway::client_files(client_folders())) {
    if (!client.empty() && file.format->name != client) continue;
    for (const fs::path& path : expand(file.path)) {
      std::error_code ignored;
      if (!seen.insert(fs::weakly_canonical(path, ignored)).second) continue;
      FoundSettings found = read_settings(path, file.format);
      found.of_project = file.of_project;
      out.push_back(std::move(found));
    }
  }
  return out;
}

std::string short_path(const fs::path& path) {
  const std::string home = environment_variable("HOME");
  const std::string text = path.string();
  const bool is_inside = home.size() > 1 && text.starts_with(home + "/");
  return is_inside ? "~" + text.substr(home.size()) : text;
}

}  // namespace enfold::cli
