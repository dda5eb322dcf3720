// SPDX-License-Identifier: Apache-2.0
#include "folder.h"

#include "enfold/json/write.h"
#include "enfold/server/run.h"

#include <algorithm>
#include <fmt/core.h>
#include <fstream>
#include <sstream>

namespace foundry {
namespace {

namespace fs = std::filesystem;
using enfold::ErrorCode;
using enfold::fail;

constexpr std::array kStatuses{SpecStatus::pending, SpecStatus::active, SpecStatus::completed};

struct TaskFile {
  std::vector<Task> tasks;
  static constexpr auto arguments() {
    return server::arguments(server::argument("tasks", &TaskFile::tasks));
  }
};

tl::unexpected<enfold::Error> cannot(std::string_view what, const fs::path& where,
                                     const std::error_code& why) {
  return fail(ErrorCode::unavailable,
              fmt::format("The folder of specifications cannot be {}: {}", what, why.message()),
              where.filename().string(), "Look at its permissions and its disk; then try again.");
}

std::optional<std::string> read_file(const fs::path& file) {
  std::ifstream input(file, std::ios::binary);
  if (!input) return std::nullopt;
  std::ostringstream text;
  text << input.rdbuf();
  return text.str();
}

// All of it or none of it: whoever reads at the same time sees the old file or the new one.
Status write_file(const fs::path& file, const std::string& text) {
  fs::path fresh = file;
  fresh += ".new";
  std::ofstream output(fresh, std::ios::binary);
  output << text;
  output.close();
  std::error_code problem;
  if (output) fs::rename(fresh, file, problem);
  if (!output) problem = std::make_error_code(std::errc::io_error);
  if (problem) return cannot("written", file, problem);
  return {};
}

std::string tasks_text(const Spec& spec) {
  enfold::json::Writer writer;
  writer.begin_object().key("tasks").begin_array();
  for (const Task& task : spec.tasks) {
    writer.begin_object().member("id", task.id).member("title", task.title);
    writer.member("status", enfold::model::name(task.status));
    if (task.has_owner()) writer.member("owner", task.owner);
    if (!task.depends_on.empty()) {
      writer.key("depends_on").begin_array();
      for (const std::string& id : task.depends_on) writer.string(id);
      writer.end_array();
    }
    if (!task.blocker.empty()) writer.member("blocker", task.blocker);
    if (task.has_notes()) writer.member("notes", task.notes);
    writer.end_object();
  }
  writer.end_array().end_object();
  return enfold::json::pretty(std::move(writer).finish_value().view()) + "\n";
}

// The title is the first line when that is a heading; without one the id has to do.
void read_markdown(const std::string& markdown, Spec& spec) {
  const std::size_t end = std::min(markdown.find('\n'), markdown.size());
  const bool has_title = markdown.starts_with("# ");
  spec.title = has_title ? markdown.substr(2, end - 2) : spec.id;
  spec.text = has_title ? markdown.substr(end) : markdown;
  spec.text.erase(0, std::min(spec.text.find_first_not_of('\n'), spec.text.size()));
}

Result<Spec> read_spec(const fs::path& place, SpecStatus status) {
  Spec spec{.id = place.filename().string(), .status = status};
  const auto markdown = read_file(place / "spec.md");
  const auto tasks = read_file(place / "tasks.json");
  if (!markdown || !tasks) {
    return fail(ErrorCode::internal, "spec.md or tasks.json is missing", place.string());
  }
  read_markdown(*markdown, spec);
  auto file = server::read_config<TaskFile>(*tasks, (place / "tasks.json").string());
  if (!file) {
    return fail(ErrorCode::internal, file.error().front().message, file.error().front().where);
  }
  spec.tasks = std::move(file->tasks);
  if (const auto holder = read_file(place / ".lock")) {
    spec.locked_by = holder->substr(0, holder->find('\n'));
    if (spec.locked_by.empty()) spec.locked_by = "another program";
  }
  return spec;
}

}  // namespace

Result<std::unique_ptr<Folder>> Folder::open(const fs::path& root, const fs::path& sample) {
  std::error_code problem;
  if (!fs::exists(root, problem) && !sample.empty()) {
    fs::copy(sample, root, fs::copy_options::recursive, problem);
    if (problem) return cannot("copied from the sample", sample, problem);
  }
  for (const SpecStatus status : kStatuses) {
    fs::create_directories(root / enfold::model::name(status), problem);
    if (problem) return cannot("made", root, problem);
  }
  return std::unique_ptr<Folder>(new Folder(root));
}

fs::path Folder::place(const std::string& id, SpecStatus status) const {
  return root_ / enfold::model::name(status) / id;
}

Result<Shelf> Folder::all() const {
  Shelf shelf;
  for (const SpecStatus status : kStatuses) {
    std::error_code problem;
    fs::directory_iterator entries(root_ / enfold::model::name(status), problem);
    if (problem) return cannot("read", root_, problem);
    for (const fs::directory_entry& entry : entries) {
      if (!entry.is_directory()) continue;
      Result<Spec> spec = read_spec(entry.path(), status);
      spec ? shelf.specs.push_back(std::move(*spec))
           : shelf.damaged.push_back(entry.path().filename().string());
    }
  }
  std::sort(shelf.specs.begin(), shelf.specs.end(),
            [](const Spec& a, const Spec& b) { return a.id < b.id; });
  std::sort(shelf.damaged.begin(), shelf.damaged.end());
  return shelf;
}

Result<std::optional<Spec>> Folder::find(const std::string& id) const {
  for (const SpecStatus status : kStatuses) {
    std::error_code problem;
    if (!fs::is_directory(place(id, status), problem)) continue;
    Result<Spec> spec = read_spec(place(id, status), status);
    if (!spec) return tl::unexpected(spec.error());
    return std::optional(std::move(*spec));
  }
  return std::nullopt;
}

Status Folder::create(const Spec& spec) {
  const fs::path home = place(spec.id, spec.status);
  std::error_code problem;
  fs::create_directories(home, problem);
  if (problem) return cannot("written", home, problem);
  Status done = write_file(home / "spec.md", fmt::format("# {}\n\n{}\n", spec.title, spec.text));
  return done ? save_tasks(spec) : done;
}

Status Folder::save_tasks(const Spec& spec) {
  return write_file(place(spec.id, spec.status) / "tasks.json", tasks_text(spec));
}

Status Folder::move(const Spec& spec, SpecStatus to) {
  std::error_code problem;
  fs::rename(place(spec.id, spec.status), place(spec.id, to), problem);
  if (problem) return cannot("written", root_, problem);
  return {};
}

Status Folder::remove(const Spec& spec) {
  std::error_code problem;
  fs::remove_all(place(spec.id, spec.status), problem);
  if (problem) return cannot("written", root_, problem);
  return {};
}

}  // namespace foundry
