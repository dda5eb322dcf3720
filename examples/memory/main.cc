// SPDX-License-Identifier: Apache-2.0
// An associative memory: texts in scopes, found again by their words, their scope, or what they
// are associated with. Answers in the contract `memory`, at the level that a call asks for.
#include "enfold/server/run.h"
#include "enfold/store/archive.h"
#include "scope.h"
#include "tools.h"

namespace memory {
namespace {

struct Config {
  std::string database = "memory.db";
  std::string default_scope = "user/default";
  Level level = Level::minimal;
  std::int64_t max_memories = 100'000;
  double associate_from = 0.3;
  static constexpr auto arguments() {
    return server::arguments(
        argument("database", &Config::database)
            .describe("SQLite file, made when it is missing; \":memory:\" forgets at the end")
            .at_least(1)
            .defaulted(),
        argument("default_scope", &Config::default_scope)
            .describe("Where a memory goes that names no scope")
            .defaulted(),
        argument("level", &Config::level)
            .describe("Of answers to calls that ask for none")
            .defaulted(),
        argument("max_memories", &Config::max_memories)
            .describe("More are refused")
            .at_least(1)
            .defaulted(),
        argument("associate_from", &Config::associate_from)
            .describe("Share of common words from which a new memory is associated by itself")
            .at_least(0)
            .at_most(1)
            .defaulted());
  }
};

/// A tool that works on the desk. SQLite may wait for a disk, so all of them run on workers.
template <class Request, class Response>
server::Tool add(server::Server& to, const Desk& desk, const char* name, const char* description,
                 Answer<Response> (*handler)(const Desk&, const Request&, Context&)) {
  server::Tool tool =
      to.tool(name, description, [desk, handler](const Request& asked, Context& context) {
        return handler(desk, asked, context);
      });
  return tool.slow(std::chrono::seconds(10));
}

Result<server::Server> make_server(const Config& config) {
  const auto scope = normal_scope(config.default_scope);
  if (!scope) {
    return enfold::fail(enfold::ErrorCode::invalid_input, scope.error().failure->message,
                        "default_scope");
  }
  ENFOLD_TRY(std::shared_ptr<Storage> storage,
             Storage::open(config.database, {config.max_memories, config.associate_from}));
  const Desk desk{std::move(storage), *scope};

  server::Settings settings;
  settings.contract = "memory";
  // Over stdio a client may start a process for every call: cursors, and handles of what was cut
  // from answers, must work in the next one.
  ENFOLD_TRY(settings.cursor_key, desk.storage->cursor_key());
  if (config.database != ":memory:") {
    ENFOLD_TRY(settings.archive,
               enfold::store::open_archive("sqlite:" + config.database + "-archive"));
  }
  settings.levels.default_level = config.level;
  server::Server memory("memory", "1.0.0", std::move(settings));
  memory.instructions =
      "Remembers texts. Answers hold what you do not know yet; response_level standard or full "
      "shows more.";
  add(memory, desk, "memory_store", "Remembers a text", store);
  add(memory, desk, "memory_get", "The whole text of one memory", get).read_only();
  add(memory, desk, "memory_search", "Finds memories by words or parts of words, best match first",
      search)
      .read_only();
  add(memory, desk, "memory_list", "Memories of a scope, newest first", list).read_only();
  add(memory, desk, "memory_update", "Changes parts of a memory", update).idempotent();
  add(memory, desk, "memory_delete", "Deletes memories, one or several", remove).destructive();
  add(memory, desk, "memory_move", "Moves memories to another scope", move).idempotent();
  add(memory, desk, "memory_associate", "Associates two memories, or ends their association",
      associate)
      .idempotent();
  add(memory, desk, "memory_associations", "What a memory is associated with, strongest first",
      associations)
      .read_only();
  add(memory, desk, "scope_list", "The scopes that hold memories", list_scopes).read_only();
  return memory;
}

}  // namespace
}  // namespace memory

int main(int argc, char** argv) {
  return enfold::server::run<memory::Config>(argc, argv, memory::make_server);
}
