// SPDX-License-Identifier: Apache-2.0
#include "cli/clients/kept_copy.h"

#include "cli/clients/replace_file.h"
#include "cli/input/input.h"
#include "cli/settings/archive_place.h"
#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/json/write.h"

#include <fmt/core.h>
#include <system_error>

namespace enfold::cli {
namespace {

namespace fs = std::filesystem;
using gateway::WrappedServer;

// The folder with the copies of one settings file. The hash of its path is in the name of the
// folder, because many projects have files of the same name.
Result<fs::path> folder_of(const fs::path& file) {
  ENFOLD_TRY(const fs::path state, state_folder());
  constexpr std::size_t kHashDigits = 16;
  const std::string hash = to_hex(sha256(file.string())).substr(0, kHashDigits);
  return state / "clients" / (file.filename().string() + "-" + hash);
}

fs::path record_in(const fs::path& folder) { return folder / "enfold.json"; }

// The path for a new copy: the first of NAME, NAME.1, NAME.2 … that does not exist.
fs::path free_name(const fs::path& folder, const fs::path& file) {
  std::error_code ignored;
  const fs::path first = folder / file.filename();
  fs::path out = first;
  for (int number = 1; fs::exists(out, ignored) || out == record_in(folder); ++number) {
    out = fmt::format("{}.{}", first.string(), number);
  }
  return out;
}

std::vector<WrappedServer> read_servers(json::View record) {
  std::vector<WrappedServer> out;
  const auto list = record.find("servers");
  if (!list) return out;
  for (const json::View one : list->items()) {
    const auto had_arguments = one.find("had_arguments");
    out.push_back({json::string_member(one, "name").value_or(""),
                   json::string_member(one, "scope").value_or(""),
                   !had_arguments || had_arguments->boolean()});
  }
  return out;
}

Status write_record(const fs::path& folder, const fs::path& file, const KeptCopy& copy) {
  json::Writer record;
  record.begin_object().member("file", file.string()).member("kept", to_text(now()));
  record.member("copy", copy.file.filename().string()).member("wrapped", copy.wrapped_hash);
  record.key("servers").begin_array();
  for (const WrappedServer& one : copy.servers) {
    record.begin_object().member("name", one.name).member("scope", one.scope);
    record.member("had_arguments", one.had_arguments).end_object();
  }
  record.end_array().end_object();
  return write_private_file(record_in(folder), std::move(record).finish().str() + "\n");
}

// Removes the record, and the folder unless it has older copies.
void remove_record(const fs::path& folder) {
  std::error_code ignored;
  fs::remove(record_in(folder), ignored);
  fs::remove(folder, ignored);
}

}  // namespace

bool KeptCopy::is_original_of(const std::string& text) const {
  return !file.empty() && wrapped_hash == sha256_name(text);
}

std::optional<KeptCopy> find_copy(const fs::path& file) {
  const Result<fs::path> folder = folder_of(file);
  if (!folder) return std::nullopt;
  const Result<json::Buffer> record = read_all(record_in(*folder).string(), {});
  if (!record) return std::nullopt;
  const Result<json::Document> parsed = json::parse(record->view());
  if (!parsed) return std::nullopt;
  KeptCopy out;
  out.wrapped_hash = json::string_member(parsed->root(), "wrapped").value_or("");
  out.servers = read_servers(parsed->root());
  const std::string name = json::string_member(parsed->root(), "copy").value_or("");
  const auto original = name.empty() ? std::nullopt : std::optional(*folder / name);
  if (!original) return out;
  const Result<json::Buffer> bytes = read_all(original->string(), {});
  if (!bytes) return out;
  out.file = *original;
  out.original = bytes->view();
  return out;
}

Result<KeptCopy> keep_copy(const fs::path& file, const std::optional<KeptCopy>& before,
                           const std::string& original, const std::string& wrapped,
                           std::vector<WrappedServer> servers) {
  ENFOLD_TRY(const fs::path folder, folder_of(file));
  KeptCopy out{.original = original, .servers = std::move(servers)};
  out.wrapped_hash = sha256_name(wrapped);
  const bool is_kept_already = before && !before->file.empty() && before->original == original;
  out.file = is_kept_already ? before->file : free_name(folder, file);
  if (!is_kept_already) ENFOLD_TRY(write_private_file(out.file, original));
  if (Status done = write_record(folder, file, out); !done) {
    std::error_code ignored;
    if (!is_kept_already) fs::remove(out.file, ignored);
    fs::remove(folder, ignored);
    return tl::unexpected(std::move(done).error());
  }
  return out;
}

void discard_copy(const fs::path& file, const KeptCopy& kept,
                  const std::optional<KeptCopy>& before) {
  std::error_code ignored;
  const fs::path folder = kept.file.parent_path();
  if (!before || before->file != kept.file) fs::remove(kept.file, ignored);
  if (!before) return remove_record(folder);
  static_cast<void>(write_record(folder, file, *before));
}

KeptCopy release_copy(const fs::path& file, KeptCopy copy, const std::string& text,
                      bool has_wrapped) {
  std::error_code ignored;
  copy.servers.clear();
  copy.wrapped_hash.clear();
  if (copy.original == text && fs::remove(copy.file, ignored)) copy.file.clear();
  const Result<fs::path> folder = folder_of(file);
  if (!folder) return copy;
  if (copy.file.empty() && !has_wrapped) {
    remove_record(*folder);
  } else {
    static_cast<void>(write_record(*folder, file, copy));
  }
  return copy;
}

}  // namespace enfold::cli
