// SPDX-License-Identifier: Apache-2.0
#include "folder.h"

#include "enfold/base/random.h"
#include "enfold/level/render.h"
#include "enfold/server/run.h"

#include <filesystem>
#include <map>
#include <unistd.h>

namespace foundry {
namespace {

namespace fs = std::filesystem;
using enfold::ErrorCode;
using enfold::fail;

constexpr std::array kStatuses{SpecStatus::pending, SpecStatus::active, SpecStatus::completed};
constexpr std::size_t kKeyBytes = 32;
constexpr std::chrono::seconds kLockTimeout(1);

/// The file of a specification; id and status are its name and its folder.
struct SpecFile {
  std::optional<std::string> title;
  std::string text;
  std::int64_t revision = 0;
  std::vector<Phase> phases;
  std::vector<Task> tasks;
  std::vector<Entry> journal;
  static constexpr auto arguments() {
    return server::arguments(argument("title", &SpecFile::title),
                             argument("text", &SpecFile::text).defaulted(),
                             argument("revision", &SpecFile::revision).defaulted(),
                             argument("phases", &SpecFile::phases).defaulted(),
                             argument("tasks", &SpecFile::tasks).defaulted(),
                             argument("journal", &SpecFile::journal).defaulted());
  }
  static constexpr auto fields() {
    using level::field;
    return level::fields(field("title", &SpecFile::title, Level::full),
                         field("text", &SpecFile::text, Level::full),
                         field("revision", &SpecFile::revision, Level::full),
                         field("phases", &SpecFile::phases, Level::full),
                         field("tasks", &SpecFile::tasks, Level::full),
                         field("journal", &SpecFile::journal, Level::full));
  }
};

std::string file_text(const Spec& spec) {
  const SpecFile file{.title = spec.has_title ? std::optional(spec.title) : std::nullopt,
                      .text = spec.text,
                      .revision = spec.revision,
                      .phases = spec.phases,
                      .tasks = spec.tasks,
                      .journal = spec.journal};
  const enfold::json::Value written =
      level::render(file, Level::full, {.prune_up_to = Level::full});
  return enfold::json::pretty(written.view()) + "\n";
}

Result<Spec> read_spec(const fs::path& place, SpecStatus status) {
  const std::optional<std::string> text = read_file(place);
  if (!text) return fail(ErrorCode::internal, "the file cannot be read", place.string());
  auto file = server::read_config<SpecFile>(*text, place.string());
  if (!file) {
    return fail(ErrorCode::internal, file.error().front().message, file.error().front().where);
  }
  const std::string id = place.stem().string();
  return Spec{.id = id,
              .status = status,
              .title = file->title.value_or(id),
              .has_title = file->title.has_value(),
              .text = std::move(file->text),
              .revision = file->revision,
              .phases = std::move(file->phases),
              .tasks = std::move(file->tasks),
              .journal = std::move(file->journal)};
}

// Copied beside and renamed, so that of two processes that start at once one is first, and neither
// sees half a copy.
Status copy_sample(const fs::path& sample, const fs::path& root) {
  const fs::path fresh = root.string() + ".new-" + std::to_string(::getpid());
  std::error_code problem;
  fs::create_directories(fresh.parent_path().empty() ? "." : fresh.parent_path(), problem);
  fs::copy(sample, fresh, fs::copy_options::recursive, problem);
  if (problem) return system_error("copied from the sample", sample, problem);
  fs::rename(fresh, root, problem);
  if (problem) fs::remove_all(fresh, problem);
  return {};
}

}  // namespace

Result<std::unique_ptr<Folder>> Folder::open(const fs::path& root, const fs::path& sample) {
  std::error_code problem;
  if (!fs::exists(root, problem) && !sample.empty()) ENFOLD_TRY(copy_sample(sample, root));
  for (const SpecStatus status : kStatuses) {
    fs::create_directories(root / enfold::model::name(status), problem);
    if (problem) return system_error("created", root, problem);
  }
  return std::unique_ptr<Folder>(new Folder(root));
}

Result<std::optional<FileLock>> Folder::lock(FileLock::Kind kind) const {
  return FileLock::acquire(root_ / ".lock", kind, kLockTimeout);
}

fs::path Folder::place(const std::string& id, SpecStatus status) const {
  return root_ / enfold::model::name(status) / (id + ".json");
}

Result<Shelf> Folder::all(std::optional<SpecStatus> status) const {
  std::map<std::string, SpecStatus> ids;
  for (const SpecStatus one : kStatuses) {
    std::error_code problem;
    fs::directory_iterator entries(root_ / enfold::model::name(one), problem);
    if (problem) return system_error("read", root_, problem);
    for (const fs::directory_entry& entry : entries) {
      if (entry.path().extension() == ".json") ids.emplace(entry.path().stem().string(), one);
    }
  }
  Shelf shelf;
  for (const auto& [id, found_under] : ids) {
    Result<std::optional<Spec>> spec = find(id);
    const SpecStatus has = spec && *spec ? (*spec)->status : found_under;
    if (status && has != *status) continue;
    if (!spec) shelf.damaged.push_back(id);
    if (spec && *spec) shelf.specs.push_back(std::move(**spec));
  }
  return shelf;
}

// A process that was killed while it moved a specification has left it under two statuses. The
// later revision counts; the next save removes the other.
Result<std::optional<Spec>> Folder::find(const std::string& id) const {
  std::optional<Spec> latest;
  for (const SpecStatus status : kStatuses) {
    std::error_code problem;
    if (!fs::exists(place(id, status), problem)) continue;
    ENFOLD_TRY(Spec spec, read_spec(place(id, status), status));
    if (!latest || spec.revision > latest->revision) latest = std::move(spec);
  }
  return latest;
}

Status Folder::save(Spec& spec) const {
  ++spec.revision;
  ENFOLD_TRY(write_file(place(spec.id, spec.status), file_text(spec)));
  for (const SpecStatus status : kStatuses) {
    std::error_code problem;
    if (status != spec.status) fs::remove(place(spec.id, status), problem);
    if (problem) return system_error("written", root_, problem);
  }
  return {};
}

Status Folder::remove(const std::string& id) const {
  for (const SpecStatus status : kStatuses) {
    std::error_code problem;
    fs::remove(place(id, status), problem);
    if (problem) return system_error("written", root_, problem);
  }
  return {};
}

Result<std::string> Folder::cursor_key() const {
  const fs::path file = root_ / ".key";
  const auto kept = [&]() -> std::optional<std::string> {
    std::optional<std::string> key = read_file(file);
    return key && key->size() == kKeyBytes ? key : std::nullopt;
  };
  if (auto key = kept()) return *key;
  ENFOLD_TRY(const auto held, lock(FileLock::Kind::exclusive));
  if (!held) {
    return fail(ErrorCode::unavailable, "another process keeps the folder locked",
                root_.filename().string(), "Try again when that process has finished.");
  }
  if (auto key = kept()) return *key;  // the other process has made it
  std::array<std::uint8_t, kKeyBytes> bytes{};
  enfold::fill_random(bytes);
  std::string key(bytes.begin(), bytes.end());
  ENFOLD_TRY(write_file(file, key, kReadableByOwner));
  return key;
}

}  // namespace foundry
