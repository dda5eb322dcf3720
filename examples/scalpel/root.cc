// SPDX-License-Identifier: Apache-2.0
#include "root.h"

#include "enfold/base/text.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/net/file_descriptor.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

namespace scalpel {
namespace {

using namespace enfold;
namespace fs = std::filesystem;

constexpr std::string_view kStayInside =
    "Give a path relative to the source folder, such as app/login.py.";

Or<void> check_spelling(std::string_view path) {
  if (path.empty() || path.find('\0') != std::string_view::npos) {
    return refused("invalid_path", "expected the path of a file or folder",
                   std::string(kStayInside));
  }
  const fs::path asked(path);
  bool climbs = asked.is_absolute();
  for (const fs::path& part : asked) climbs = climbs || part == "..";
  if (climbs) {
    return refused("invalid_path",
                   "expected a path below the source folder, found an absolute one or one with ..",
                   std::string(kStayInside));
  }
  return {};
}

bool is_below(const fs::path& folder, const fs::path& path) {
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

model::Response root_is_gone() {
  return refuse("dependency_unavailable", "The source folder cannot be read",
                "Ask the operator to check the setting `root`.");
}

// Each step refuses links: the path was resolved before, so one that appears now is an intruder.
net::FileDescriptor open_inside(const fs::path& root, const std::string& true_path) {
  net::FileDescriptor at(::open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (const fs::path& part : fs::path(true_path)) {
    if (!at) break;
    at = net::FileDescriptor(
        ::openat(at.get(), part.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  }
  return at;
}

model::Response not_a_file(const std::string& path) {
  return refuse("invalid_path", fmt::format("expected a regular file: {}", path),
                std::string(kStayInside));
}

}  // namespace

model::Response refuse(std::string_view code, std::string message, std::string remedy) {
  contract::failures::Other other{.message = std::move(message), .code = std::string(code)};
  if (!remedy.empty()) other.extra.remediation.push_back(std::move(remedy));
  return contract::make_failure(other);
}

std::string quoted_name(std::string_view name) {
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return is_alphanumeric(c) || static_cast<unsigned char>(c) >= 0x80 ||
           std::string_view("_$.:~-").find(c) != std::string_view::npos;
  });
  return plain ? std::string(name) : "of that name";
}

Or<Place> SourceRoot::find(std::string_view path) const {
  if (auto spelled = check_spelling(path); !spelled) return tl::unexpected(spelled.error());
  std::error_code failed;
  const fs::path root = fs::canonical(folder_, failed);
  if (failed) return tl::unexpected(root_is_gone());
  const fs::path asked = fs::path(path).lexically_normal();
  std::string name = asked.generic_string();
  if (name.size() > 1 && name.ends_with('/')) name.pop_back();
  const fs::path found = fs::canonical(root / asked, failed);
  if (failed == std::errc::permission_denied) {
    return refused("forbidden", fmt::format("No permission to read {}", name));
  }
  if (failed) {
    return refused("not_found", fmt::format("File not found: {}", name),
                   "crawl_project lists which files there are.");
  }
  if (!is_below(root, found)) {
    return refused("forbidden",
                   fmt::format("{} is a link that leads out of the source folder", name),
                   std::string(kStayInside));
  }
  Place place{.path = name, .true_path = found.lexically_relative(root).generic_string()};
  const fs::file_status status = fs::status(found, failed);
  place.is_folder = fs::is_directory(status);
  if (!place.is_folder && !fs::is_regular_file(status)) return tl::unexpected(not_a_file(name));
  if (!place.is_folder) place.bytes = static_cast<std::size_t>(fs::file_size(found, failed));
  return place;
}

Or<std::string> SourceRoot::read(const Place& file, std::size_t most) const {
  const net::FileDescriptor opened = open_inside(folder_, file.true_path);
  if (!opened) {
    return errno == ENOENT
               ? refused("not_found", fmt::format("File not found: {}", file.path))
               : refused("forbidden", fmt::format("No permission to read {}", file.path));
  }
  struct stat status{};
  if (::fstat(opened.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return tl::unexpected(not_a_file(file.path));
  }
  std::string text;
  std::array<char, 16384> chunk{};
  while (text.size() <= most) {
    const ssize_t count = ::read(opened.get(), chunk.data(), chunk.size());
    if (count < 0) return refused("forbidden", fmt::format("{} cannot be read", file.path));
    if (count == 0) break;
    text.append(chunk.data(), static_cast<std::size_t>(count));
  }
  if (text.size() > most) {
    return refused("too_large", fmt::format("{} has grown past {} bytes", file.path, most));
  }
  if (utf8::first_invalid(text)) {
    return refused("invalid_argument", fmt::format("{} is not text in UTF-8", file.path),
                   "Convert the file to UTF-8.");
  }
  return text;
}

Place SourceRoot::place_of(const fs::directory_entry& entry, std::string path) const {
  Place place{.path = std::move(path)};
  std::error_code ignored;
  if (entry.path().filename().string().starts_with('.')) {
    place.unusable = SkipReason::hidden;
  } else if (entry.is_directory(ignored) && !entry.is_symlink(ignored)) {
    place.is_folder = ::access(entry.path().c_str(), R_OK | X_OK) == 0;
    if (!place.is_folder) place.unusable = SkipReason::unreadable;
  } else if (auto found = find(place.path)) {
    place = std::move(*found);
    if (place.is_folder) place.unusable = SkipReason::linked_folder;
  } else {
    const bool leads_out = entry.is_symlink(ignored) && found.error().failure->code == "forbidden";
    place.unusable = leads_out ? SkipReason::outside_root : SkipReason::unreadable;
  }
  return place;
}

Or<std::vector<Place>> SourceRoot::list(const Place& folder, std::size_t most) const {
  std::vector<Place> places;
  std::error_code failed;
  const fs::path start = folder_ / folder.true_path;
  auto entry = fs::recursive_directory_iterator(start, failed);
  for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    Place place = place_of(*entry, (fs::path(folder.path) / entry->path().lexically_relative(start))
                                       .lexically_normal()
                                       .generic_string());
    if (place.unusable) entry.disable_recursion_pending();
    if (place.is_folder && !place.unusable) continue;
    if (places.size() == most) {
      return refused("too_large", fmt::format("{} holds more than {} files", folder.path, most),
                     "Name a smaller folder.");
    }
    places.push_back(std::move(place));
  }
  if (failed) {
    return refused("dependency_unavailable",
                   fmt::format("{} could not be read to its end", folder.path), "Try again.");
  }
  std::sort(places.begin(), places.end(),
            [](const Place& a, const Place& b) { return a.path < b.path; });
  return places;
}

}  // namespace scalpel
