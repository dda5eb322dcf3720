// SPDX-License-Identifier: Apache-2.0
#include "cli/clients/kept_copy.h"

#include "cli/clients/replace_file.h"
#include "cli/input/input.h"
#include "cli/settings/archive_place.h"
#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/json/write.h"

#include <system_error>

namespace enfold::cli {
namespace {

namespace fs = std::filesystem;

// A folder for each file: its name, which may occur in every project, and a hash of its path.
Result<fs::path> folder_of(const fs::path& file) {
  ENFOLD_TRY(const fs::path state, state_folder());
  constexpr std::size_t kHashDigits = 16;
  const std::string hash = to_hex(sha256(file.string())).substr(0, kHashDigits);
  return state / "clients" / (file.filename().string() + "-" + hash);
}

fs::path record_of(const fs::path& copy) { return copy.parent_path() / "enfold.json"; }

}  // namespace

std::optional<KeptCopy> find_copy(const fs::path& file) {
  const Result<fs::path> folder = folder_of(file);
  if (!folder) return std::nullopt;
  KeptCopy out;
  out.file = *folder / file.filename();
  const Result<json::Buffer> original = read_all(out.file.string(), {});
  const Result<json::Buffer> record = read_all(record_of(out.file).string(), {});
  if (!original || !record) return std::nullopt;
  const Result<json::Document> parsed = json::parse(record->view());
  if (!parsed) return std::nullopt;
  out.original = original->view();
  out.wrapped_hash = json::string_member(parsed->root(), "wrapped").value_or("");
  return out;
}

Result<fs::path> keep_copy(const fs::path& file, const std::string& original,
                           const std::string& wrapped) {
  ENFOLD_TRY(const fs::path folder, folder_of(file));
  const fs::path copy = folder / file.filename();
  json::Writer record;
  record.begin_object().member("file", file.string()).member("kept", to_text(now()));
  record.member("wrapped", sha256_name(wrapped)).end_object();
  ENFOLD_TRY(write_private_file(copy, original));
  ENFOLD_TRY(write_private_file(record_of(copy), std::move(record).finish().str() + "\n"));
  return copy;
}

void remove_copy(const KeptCopy& copy) {
  std::error_code ignored;
  fs::remove_all(copy.file.parent_path(), ignored);
}

}  // namespace enfold::cli
