// SPDX-License-Identifier: Apache-2.0
// The memories of one database. Knows nothing of tools and answers. Several threads may use it;
// they take turns.
#pragma once

#include "database.h"
#include "memory.h"
#include "words.h"

#include <mutex>

namespace memory {

struct StorageOptions {
  std::int64_t max_memories = 100'000;
  double associate_from = 0.3;  ///< similarity from which a new memory is associated by itself
};

struct Draft {
  std::string content;
  std::string scope;
  std::string category;
  std::vector<std::string> tags;
  std::optional<std::map<std::string, std::string>> metadata;  ///< nullopt: made by the storage
};

/// What was done with several ids.
struct Done {
  std::vector<Memory> memories;      ///< deleted: as they were; moved: as they are now
  std::vector<std::string> missing;  ///< ids of no memory
};

/// What became of a draft.
struct Kept {
  Memory memory;
  std::optional<std::string> duplicate_of;  ///< an older memory that says the same
  std::vector<std::string> associated;      ///< ids
};

struct Change {
  std::optional<std::string> content;
  std::optional<std::string> category;
  std::optional<std::vector<std::string>> tags;
  std::optional<std::map<std::string, std::string>> metadata;
};

/// Empty text: any.
struct Filter {
  std::string scope;  ///< and what lies inside it
  std::string category;
  std::string tag;
};

struct Slice {
  std::size_t offset = 0;
  std::size_t size = 0;
};

struct Listing {
  std::vector<Memory> memories;
  std::int64_t total = 0;
};

struct ScopeCount {
  std::string scope;
  std::int64_t memories = 0;  ///< in the scope itself
  std::string updated_at;     ///< of the one that changed last
};

class Storage {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Storage>> open(const std::string& path,
                                                             StorageOptions options);
  /// Signs cursors; the same for as long as there is the database.
  [[nodiscard]] Result<std::string> cursor_key();

  /// limit_exceeded when the database is as full as it may be.
  [[nodiscard]] Result<Kept> add(const Draft& draft);
  [[nodiscard]] Result<std::optional<Memory>> find(const std::string& id);
  /// The memory after the change; conflict when its revision is another than expected.
  [[nodiscard]] Result<std::optional<Memory>> change(const std::string& id, const Change& change,
                                                     std::optional<std::int64_t> expected);
  // All at once or, after an error, none. An id that is named twice counts once.
  /// Their associations go with them.
  [[nodiscard]] Result<Done> remove(const std::vector<std::string>& ids);
  [[nodiscard]] Result<Done> move(const std::vector<std::string>& ids, const std::string& scope);

  /// Newest first.
  [[nodiscard]] Result<Listing> list(const Filter& filter, Slice slice);
  /// The words of a query, as search() looks for them.
  [[nodiscard]] Query read_query(std::string_view query, Match match);
  /// Best match first: whole words before parts of words.
  [[nodiscard]] Result<Listing> search(const Query& query, const Filter& filter, Slice slice);
  [[nodiscard]] Result<std::vector<ScopeCount>> scopes(const std::string& inside);

  // Associations have no direction. A second one between the same memories replaces the first.
  /// False: one of the two is not there.
  [[nodiscard]] Result<bool> associate(const std::string& a, const std::string& b, double strength);
  /// False: they are not associated.
  [[nodiscard]] Result<bool> dissociate(const std::string& a, const std::string& b);
  /// What can be reached from a memory in at most `steps`, strongest first.
  [[nodiscard]] Result<Listing> associations(const std::string& id, std::int64_t steps,
                                             Slice slice);

 private:
  Storage(std::unique_ptr<Database> database, Folding folding, StorageOptions options)
      : database_(std::move(database)), folding_(std::move(folding)), options_(options) {}

  [[nodiscard]] Result<std::optional<Memory>> look(const std::string& id);
  [[nodiscard]] Status check_room();
  [[nodiscard]] Status insert(Memory& memory);
  /// What is searched of a memory.
  [[nodiscard]] std::string searched(const Memory& memory) const;
  [[nodiscard]] Status relate(Kept& kept);
  [[nodiscard]] Result<bool> connect(const std::string& a, const std::string& b, double strength);

  std::mutex turn_;
  std::unique_ptr<Database> database_;
  Folding folding_;
  StorageOptions options_;
};

}  // namespace memory
