// SPDX-License-Identifier: Apache-2.0
#include "cli/clients/own_command.h"

#include "cli/clients/find.h"

#include <algorithm>
#include <fmt/core.h>
#include <system_error>
#include <unistd.h>

namespace enfold::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kName = "enfold";

// Whether the file exists and this user may run it.
bool is_program(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
}

// Whether the program is in a folder of every PATH. The folders that a shell adds to PATH do not
// count: clients that the desktop starts do not have them.
bool is_in_every_path(const fs::path& program) {
  const fs::path folder = program.parent_path();
  return folder == "/usr/local/bin" || folder == "/usr/bin" || folder == "/bin";
}

// Whether the programs that run a package without installing it (npx, bunx, pnpm dlx) made the
// folder: they remove it again.
bool is_temporary(const fs::path& folder) {
  return std::ranges::any_of(folder, [](const fs::path& part) {
    const std::string name = part.string();
    return name == "_npx" || name == "dlx" || name.starts_with("dlx-") || name.starts_with("bunx-");
  });
}

// The words that start this program, as command_to_write describes.
std::vector<std::string> own_command() {
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  if (is_of_npm(self)) {
    const fs::path link = npm_link(self);
    if (link.empty()) return {"npx", "-y", std::string(kName)};
    return {is_in_every_path(link) ? std::string(kName) : link.string()};
  }
  const fs::path found = program_in_path();
  if (found.empty() || !fs::equivalent(found, self, ignored)) return {self.string()};
  if (is_in_every_path(found)) return {std::string(kName)};
  return {fs::absolute(found, ignored).lexically_normal().string()};
}

}  // namespace

bool is_of_npm(const fs::path& program) {
  return std::ranges::find(program, fs::path("node_modules")) != program.end();
}

fs::path npm_link(const fs::path& program) {
  for (fs::path folder = program; folder.has_relative_path(); folder = folder.parent_path()) {
    if (folder.filename() != "node_modules") continue;
    const fs::path parent = folder.parent_path();
    if (is_temporary(parent)) return {};
    if (fs::path link = folder / ".bin" / kName; is_program(link)) return link;
    if (fs::path link = parent.parent_path() / "bin" / kName;
        parent.filename() == "lib" && is_program(link))
      return link;
  }
  return {};
}

fs::path program_in_path() {
  const std::string path = environment_variable("PATH");
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    fs::path candidate = fs::path(path.substr(at, end - at)) / kName;
    if (is_program(candidate)) return candidate;
    at = end + 1;
  }
  return {};
}

Result<std::vector<std::string>> command_to_write(const std::string& option) {
  std::vector<std::string> out = option.empty() ? own_command() : std::vector{option};
  if (out.size() > 1 || out.front() == kName) return out;
  const fs::path program(out.front());
  if (program.filename() != kName) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected a program named {}, found \"{}\"", kName, program.string()),
                {}, "--unwrap recognises it by its name; pass --program enfold, or a link to it");
  }
  std::error_code ignored;
  out.front() = fs::absolute(program, ignored).lexically_normal().string();
  if (is_program(out.front())) return out;
  return fail(ErrorCode::invalid_input,
              fmt::format("expected a program that you may run, found \"{}\"", out.front()), {},
              "pass its whole path, or enfold if it is in the PATH of the clients");
}

}  // namespace enfold::cli
