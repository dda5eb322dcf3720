// SPDX-License-Identifier: Apache-2.0
#include "storage.h"

#include "enfold/json/write.h"
#include "enfold/server/run.h"

#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <sstream>
#include <sys/file.h>
#include <unistd.h>

namespace discord {
namespace {

using namespace enfold;
namespace fs = std::filesystem;
using net::FileDescriptor;

// The whole state is written with every change; beyond this a database is the better place.
constexpr std::size_t kLargestState = std::size_t{16} << 20;

// What a struct declares for reading is also how it is written.
template <class T>
void write(json::Writer& writer, const T& value);

template <class T>
void write_member(json::Writer& writer, std::string_view name, const T& value) {
  write(writer.key(name), value);
}
template <class T>
void write_member(json::Writer& writer, std::string_view name, const std::optional<T>& value) {
  if (value) write(writer.key(name), *value);
}

template <class T>
void write(json::Writer& writer, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    writer.boolean(value);
  } else if constexpr (std::is_integral_v<T>) {
    writer.integer(value);
  } else if constexpr (std::is_enum_v<T>) {
    writer.string(model::name(value));
  } else if constexpr (std::is_same_v<T, std::string>) {
    writer.string(value);
  } else if constexpr (server::Declares<T>) {
    writer.begin_object();
    const auto one = [&](const auto& declared) {
      write_member(writer, declared.name, value.*declared.member);
    };
    std::apply([&](const auto&... declared) { (one(declared), ...); }, T::arguments().all);
    writer.end_object();
  } else {
    writer.begin_array();
    for (const auto& item : value) write(writer, item);
    writer.end_array();
  }
}

std::string text_of(const State& state) {
  json::Writer writer;
  write(writer, state);
  return json::to_text(std::move(writer).finish_value().view());
}

Status write_all(const FileDescriptor& file, std::string_view text, const fs::path& name) {
  while (!text.empty()) {
    const ssize_t count = ::write(file.get(), text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return tl::unexpected(net::system_error("write", errno, name.string()));
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Result<FileDescriptor> open_folder_of(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened) return tl::unexpected(net::system_error("open", errno, folder.string()));
  return opened;
}

}  // namespace

Result<std::optional<std::string>> read_file(const fs::path& file) {
  std::error_code failed;
  if (!fs::exists(file, failed) && !failed) return std::nullopt;
  const std::ifstream input(file, std::ios::binary);
  std::ostringstream text;
  if (input) text << input.rdbuf();
  if (!input) return tl::unexpected(net::system_error("read", errno, file.string()));
  return std::move(text).str();
}

// The folder is locked, not the file: every save makes another file.
Result<FileDescriptor> Storage::lock() const {
  Result<FileDescriptor> folder = open_folder_of(file_);
  while (folder && ::flock(folder->get(), LOCK_EX) != 0) {
    if (errno != EINTR) return tl::unexpected(net::system_error("lock", errno, file_.string()));
  }
  return folder;
}

Storage::Version Storage::version() const {
  struct stat status{};
  if (::stat(file_.c_str(), &status) != 0) return {};
  return {status.st_ino, status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec};
}

Result<std::optional<State>> Storage::load() {
  const Version now = version();
  if (now == seen_ || now == Version{}) return std::nullopt;
  const auto text = read_file(file_);
  if (!text) return tl::unexpected(text.error());
  if (!*text) return std::nullopt;
  server::ConfigResult<State> state = server::read_config<State>(**text, file_.string());
  if (!state) return tl::unexpected(state.error().front());
  seen_ = now;
  return std::move(*state);
}

Status Storage::save(const State& state) {
  const std::string text = text_of(state);
  if (text.size() > kLargestState) {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("the messages take more than {} bytes", kLargestState), file_.string());
  }
  const fs::path draft = file_.string() + ".new";
  const FileDescriptor file(
      ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return tl::unexpected(net::system_error("write", errno, draft.string()));
  if (Status written = write_all(file, text, draft); !written) return written;
  if (::fsync(file.get()) != 0 || ::rename(draft.c_str(), file_.c_str()) != 0) {
    return tl::unexpected(net::system_error("keep", errno, file_.string()));
  }
  // The new name is safe from a power failure when the folder is on disk too.
  if (const auto folder = open_folder_of(file_)) ::fsync(folder->get());
  seen_ = version();
  return {};
}

}  // namespace discord
