// SPDX-License-Identifier: Apache-2.0
// A server for the gateway to stand in front of: says what a test tells it to, byte for byte, and
// fails in every way that a server can fail.
//   upstream [sessions|stateless|both] [mute|bare|short]
// Its environment says more: ENFOLD_TEST_COUNTS lists the tools that count, ENFOLD_TEST_TWICE one
// tool twice and one without a name, with ENFOLD_TEST_NO_TOOLS it has none; with
// ENFOLD_TEST_ENDLESS every page of its list has that many bytes and is followed by another; with
// ENFOLD_TEST_RESTLESS every list has changed while it is told; while the file ENFOLD_TEST_DOWN is
// there it does not start, ENFOLD_TEST_TOOL is one more tool, while ENFOLD_TEST_SLOW is there lists
// wait, while ENFOLD_TEST_MORE is there it has one more tool; ENFOLD_TEST_SAYS is said in every
// place where a server can say something besides the results of tools; ENFOLD_TEST_RESOURCE is a
// resource that it lists; ENFOLD_TEST_SCHEME:// are the resources that it has, of which it lists
// only a template.
#include "enfold/json/write.h"
#include "enfold/mcp/wire/message.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using enfold::json::View;

void say(const std::string& line) {
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fputc('\n', stdout);
  std::fflush(stdout);
}

void answer(const std::string& id, const std::string& result) {
  say(fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{}}})", id, result));
}

void refuse(const std::string& id, int code, const std::string& message) {
  say(fmt::format(
      R"({{"jsonrpc":"2.0","id":{},"error":{{"code":{},"message":"{}","data":{{"x":1}}}}}})", id,
      code, message));
}

/// ENFOLD_TEST_SAYS, as it stands inside a JSON string.
std::string says() {
  const char* const text = std::getenv("ENFOLD_TEST_SAYS");
  return text != nullptr ? text : "";
}

/// The same after other text.
std::string also_says() { return says().empty() ? "" : " " + says(); }

bool bare = false;      // has no resources
bool is_short = false;  // of its list there is one page, written with spaces

const char* const kBare = R"("capabilities":{"tools":{}})";
const char* const kIdentity =
    R"("capabilities":{"tools":{"listChanged":true},"logging":{},"resources":{"subscribe":true},)"
    R"("experimental":{"com.example/odd":{"a":[1]}},)"
    R"("extensions":{"io.modelcontextprotocol/tasks":{}}},"instructions":"Be kind.")";

const char* identity() {
  if (std::getenv("ENFOLD_TEST_SCHEME") != nullptr) {
    return R"("capabilities":{"tools":{},"resources":{"subscribe":true},"prompts":{},)"
           R"("completions":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})";
  }
  return bare ? kBare : kIdentity;
}

std::string with_instructions(const std::string& identity) {
  if (says().empty()) return identity;
  return fmt::format(R"({},"instructions":"{}")",
                     identity.substr(0, identity.find(R"(,"instructions")")), says());
}

std::string tool(const std::string& name, const std::string& more = "") {
  const std::string about =
      says().empty() ? "" : fmt::format(R"(,"title":"{0}","_meta":{{"a":"{0}"}})", says());
  return fmt::format(
      R"({{"name":"{}","inputSchema":{{"type":"object"}},"com.example/kept":1{}{}}})", name, about,
      more);
}

/// Whether the client has said that it can be asked.
bool& may_elicit() {
  static bool says_so = false;
  return says_so;
}

const char* const kReads = R"(,"annotations":{"readOnlyHint":true})";

/// How often tools that count were called.
int& calls() {
  static int count = 0;
  return count;
}

// Dies as long as the file `while` is there, or once, with the file `once`.
void die_if_told(View arguments) {
  if (const auto file = arguments.find("while")) {
    if (std::ifstream(file->string())) std::_Exit(3);
  }
  if (const auto file = arguments.find("once")) {
    if (std::remove(file->string().c_str()) == 0) std::_Exit(3);
  }
}

std::string output_schema() {
  const char* const given = std::getenv("ENFOLD_TEST_OUTPUT_SCHEMA");
  if (given != nullptr) return given;
  return R"({"$schema":"https://json-schema.org/draft/2020-12/schema",)"
         R"("type":"object","properties":{"rows":{"type":"array","items":)"
         R"({"$ref":"#/$defs/row"}}},"required":["rows"],"$defs":{"row":)"
         R"({"type":"object","properties":{"id":{"type":"integer"}}}}})";
}

std::string tools() {
  std::string list =
      tool("echo") + "," +
      tool("result", R"(,"description":"Gives back, byte for byte, whatever stands in its one )"
                     R"(argument, which is called raw and holds a result")");
  if (may_elicit()) list += "," + tool("elicit");
  list += "," + tool("listed", R"(,"outputSchema":)" + output_schema());
  if (getenv("ENFOLD_TEST_FETCH") != nullptr) list += "," + tool("enfold_fetch");
  return list;
}

bool is_there(const char* variable) {
  const char* const file = std::getenv(variable);
  return file != nullptr && std::ifstream(file);
}

// Those that count are listed for the tests that look for them.
std::string last_tools() {
  std::string list = tool("last");
  if (is_there("ENFOLD_TEST_MORE")) list += "," + tool("more");
  if (const char* const one = std::getenv("ENFOLD_TEST_TOOL")) list += std::string(",") + one;
  if (std::getenv("ENFOLD_TEST_TWICE") != nullptr) {
    list += "," + tool("echo", R"(,"description":"the second of its name")");
    list += R"(,{"com.example/nameless":1})";
  }
  if (std::getenv("ENFOLD_TEST_COUNTS") == nullptr) return list;
  for (const char* const name :
       {"count", "count_or_die", "sessions_or_die", "sessions_only_or_die"}) {
    list += "," + tool(name, kReads);
  }
  return list;
}

/// What the client has said without being asked.
std::vector<std::string>& heard() {
  static std::vector<std::string> all;
  return all;
}

/// Whether nobody gets a list.
bool& mute() {
  static bool is = false;
  return is;
}

/// How often somebody asked for tools.
int& lists() {
  static int count = 0;
  return count;
}

const char* const kChanged = R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";
const std::string kLongPrompt(70, 'p');

/// What its task has come to, as members of `tasks/get`; empty: it is still at work.
std::string& task_result() {
  static std::string members;
  return members;
}

// A failure that leaves no answer, or a strange one.
bool fails(const std::string& name, const std::string& id) {
  if (name == "crash") {
    std::fputs("upstream: about to crash\n", stderr);
    std::_Exit(3);
  }
  if (name == "half") {
    std::fputs(R"({"jsonrpc":"2.0","id":)", stdout);
    std::fflush(stdout);
    std::_Exit(0);
  }
  if (name == "hang") std::this_thread::sleep_for(std::chrono::hours(1));
  if (name == "silent") return true;
  if (name == "wrong_id") {
    answer("\"nobody asked\"", R"({"content":[]})");
    return true;
  }
  if (name == "broken") {
    say(fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":7}})", id));
    return true;
  }
  if (name == "not_a_number") {
    answer(id, R"({"content":[],"structuredContent":{"a":NaN}})");
    return true;
  }
  if (name == "utf8") {
    say(
        fmt::format("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{{\"content\":[{{\"type\":\"text\","
                    "\"text\":\"\xff\xfe\"}}]}}}}",
                    id));
    return true;
  }
  if (name == "nothing") {
    say(fmt::format(R"({{"jsonrpc":"2.0","id":{}}})", id));
    return true;
  }
  if (name == "flood") {
    const std::string much(std::size_t{1} << 20, 'x');
    for (int i = 0; i < 80; ++i) std::fwrite(much.data(), 1, much.size(), stdout);
    say("");
    return true;
  }
  return false;
}

// Asks the client's side and gives its answer back as the text of the result.
void elicit(const std::string& id) {
  say(R"({"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"Who?",)"
      R"("requestedSchema":{"type":"object","properties":{}},"com.example/odd":true}})");
  std::string line;
  while (std::getline(std::cin, line)) {
    const auto parsed = enfold::json::parse(std::string_view(line));
    if (!parsed || parsed->root().find("method")) continue;
    const auto result = parsed->root().find("result");
    const auto error = parsed->root().find("error");
    const std::string got =
        result ? enfold::json::to_text(*result) : "refused: " + enfold::json::to_text(*error);
    answer(id,
           fmt::format(R"({{"content":[{{"type":"text","text":{}}}]}})", enfold::json::quote(got)));
    return;
  }
}

/// A text of at least that many bytes, full of secrets.
std::string long_text(std::int64_t bytes) {
  std::string text;
  while (static_cast<std::int64_t>(text.size()) < bytes) text += "password=hunter2sEcret99 ";
  return text;
}

// Says much in one message, or in many lines that are none.
// The line `raw`, `times` times; MEMBERS in it becomes as many members as `members` says.
void say_raw(View arguments, const std::string& id) {
  std::string line = arguments.find("raw")->string();
  std::string members;
  for (std::int64_t i = arguments.find("members")->integer().value_or(0); i > 0; --i) {
    members += R"("a":1,)";
  }
  if (const std::size_t at = line.find("MEMBERS"); at != std::string::npos)
    line.replace(at, 7, members + R"("b":1)");
  const std::size_t place = line.find("ID");
  if (place != std::string::npos) line.replace(place, 2, id);
  for (std::int64_t i = arguments.find("times")->integer().value_or(1); i > 0; --i) say(line);
  if (place == std::string::npos) answer(id, R"({"content":[]})");
}

void say_much(View arguments, const std::string& id) {
  const std::string as = arguments.find("as")->string();
  const std::int64_t bytes = arguments.find("bytes")->integer().value_or(0);
  if (as == "lines") {
    for (std::int64_t i = 0; i < bytes; i += 2) say("x");
  } else if (as == "log") {
    say(fmt::format(R"({{"jsonrpc":"2.0","method":"notifications/message","params":)"
                    R"({{"level":"error","data":"{}"}}}})",
                    long_text(bytes)));
  } else {
    say(fmt::format(R"({{"jsonrpc":"2.0","id":{},"error":{{"code":-32000,"message":"{}",)"
                    R"("data":"{}"}}}})",
                    id, long_text(bytes), long_text(bytes)));
    return;
  }
  answer(id, R"({"content":[]})");
}

void call(View params, const std::string& id, bool has_sessions) {
  const std::string name = params.find("name")->string();
  const View arguments = params.find("arguments").value_or(View());
  if (fails(name, id)) return;
  if (name == "echo" || (name == "enfold_fetch" && getenv("ENFOLD_TEST_FETCH") != nullptr)) {
    answer(id, fmt::format(R"({{"content":[{{"type":"text","text":{}}}]}})",
                           enfold::json::quote(enfold::json::to_text(params))));
  } else if (name == "result" || name == "listed") {
    answer(id, arguments.find("raw")->string());
  } else if (name == "line") {
    std::string line = arguments.find("raw")->string();
    const std::size_t place = line.find("ID");
    if (place != std::string::npos) line.replace(place, 2, id);
    say(line);
    if (place == std::string::npos) answer(id, R"({"content":[]})");
  } else if (name == "count" || name == "counts_alone" || name == "count_or_die" ||
             name == "alone_or_die" || name == "sessions_or_die" ||
             (name == "sessions_only_or_die" && has_sessions)) {
    if (name.ends_with("_or_die") && (name != "sessions_or_die" || has_sessions)) {
      die_if_told(arguments);
    }
    answer(id, fmt::format(R"({{"content":[{{"type":"text","text":"no. {}"}}]}})", ++calls()));
  } else if (name == "pid") {
    answer(id, fmt::format(R"({{"content":[{{"type":"text","text":"{}"}}]}})", ::getpid()));
  } else if (name == "wait_for_file") {
    // Says that it waits by a file of its own.
    const std::string file = arguments.find("file")->string();
    std::ofstream(file + ".waits") << "";
    while (!std::ifstream(file)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    answer(id, R"({"content":[{"type":"text","text":"it came"}]})");
  } else if (name == "noise") {
    say("npm WARN this is no message");
    say("");
    answer(id, R"({"content":[{"type":"text","text":"after noise"}]})");
  } else if (name == "progress") {
    const auto token = params.find("_meta")->find("progressToken");
    say(fmt::format(R"({{"jsonrpc":"2.0","method":"notifications/progress","params":)"
                    R"({{"progressToken":{},"progress":1.50,"odd":[1]{}}}}})",
                    enfold::json::to_text(*token),
                    says().empty() ? "" : fmt::format(R"(,"message":"{}")", says())));
    answer(id, R"({"content":[]})");
  } else if (name == "log") {
    say(fmt::format(R"({{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":)"
                    R"("warning","data":{{"a":1{}}},"odd":true}}}})",
                    says().empty() ? "" : fmt::format(R"(,"b":"{}")", says())));
    answer(id, R"({"content":[]})");
  } else if (name == "complain") {
    std::fprintf(stderr, "%s\n", says().c_str());
    say(fmt::format(R"({{"jsonrpc":"2.0","id":{0},"error":{{"code":-32000,"message":"{1}","data":)"
                    R"({{"x":"{1}"}}}}}})",
                    id, says()));
  } else if (name == "change_often") {
    for (int i = 0; i < 200; ++i) say(kChanged);
    answer(id, R"({"content":[]})");
  } else if (name == "lists") {
    answer(id, fmt::format(R"({{"content":[{{"type":"text","text":"{}"}}]}})", lists()));
  } else if (name == "change") {
    say(kChanged);
    say(fmt::format(
        R"({{"jsonrpc":"2.0","method":"notifications/com.example/odd","params":{{"a":1{}}}}})",
        says().empty() ? "" : fmt::format(R"(,"b":"{}")", says())));
    answer(id, R"({"content":[]})");
  } else if (name == "update") {
    say(fmt::format(R"({{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{}}})",
                    enfold::json::to_text(arguments)));
    answer(id, R"({"content":[]})");
  } else if (name == "heard") {
    std::string all;
    for (const std::string& one : heard()) all += (all.empty() ? "" : ",") + one;
    answer(id, fmt::format(R"({{"content":[{{"type":"text","text":{}}}]}})",
                           enfold::json::quote("[" + all + "]")));
  } else if (name == "elicit") {
    elicit(id);
  } else if (name == "say_raw") {
    say_raw(arguments, id);
  } else if (name == "say_much") {
    say_much(arguments, id);
  } else if (name == "task_status") {
    const bool stateless =
        enfold::json::to_text(params).find("/protocolVersion") != std::string::npos;
    say(fmt::format(R"({{"jsonrpc":"2.0","method":"notifications/tasks{}","params":{{{}}}}})",
                    stateless ? "" : "/status", arguments.find("raw")->string()));
    answer(id, R"({"content":[]})");
  } else if (name == "task") {
    const bool stateless =
        enfold::json::to_text(params).find("/protocolVersion") != std::string::npos;
    if (const auto raw = arguments.find("raw")) task_result() = raw->string();
    answer(id, stateless ? R"({"resultType":"task","taskId":"t1","status":"working","ttlMs":null})"
                         : R"({"task":{"taskId":"t1","status":"working"}})");
  } else if (name == "ask") {
    const auto inputs = params.find("inputResponses");
    answer(id, inputs
                   ? fmt::format(
                         R"({{"resultType":"complete","content":[{{"type":"text","text":{}}}]}})",
                         enfold::json::quote(enfold::json::to_text(*inputs)))
                   : R"({"resultType":"input_required","requestState":"s1","inputRequests":{"who":)"
                     R"({"method":"elicitation/create","params":{"message":"Who?",)"
                     R"("requestedSchema":{"type":"object","properties":{}}}}}})");
  } else {
    refuse(id, -32602, "Unknown tool: " + name);
  }
}

// Of any id: who gets whose is for others to see to.
void serve_task(const std::string& method, const std::string& task, const std::string& id) {
  const char* const scheme = std::getenv("ENFOLD_TEST_SCHEME");
  const std::string by = scheme != nullptr ? fmt::format(" by {}", scheme) : "";
  if (method == "tasks/list") {
    answer(id, R"({"tasks":[{"taskId":"t1","status":"working"}]})");
  } else if (method == "tasks/result") {
    answer(id, fmt::format(R"({{"content":[{{"type":"text","text":"done: {}{}"}}],"_meta":)"
                           R"({{"io.modelcontextprotocol/related-task":{{"taskId":"{}"}}}}}})",
                           task, by, task));
  } else {
    const std::string end = task_result();
    answer(id, fmt::format(R"({{"resultType":"complete","taskId":"{}","status":"{}{}"{}{}}})", task,
                           end.empty() ? "working" : "completed", by, end.empty() ? "" : ",", end));
  }
}

// Of a server with resources and prompts.
bool serve_more(const std::string& method, View params, const std::string& id) {
  const char* const scheme = std::getenv("ENFOLD_TEST_SCHEME");
  if (scheme == nullptr) return false;
  if (method == "resources/list") {
    const char* const one = std::getenv("ENFOLD_TEST_RESOURCE");
    answer(id, one == nullptr ? R"({"resources":[]})"
                              : fmt::format(R"({{"resources":[{{"name":"r","uri":"{}","title":)"
                                            R"("{}"}}]}})",
                                            one, says()));
  } else if (method == "resources/templates/list") {
    answer(id,
           fmt::format(R"({{"resourceTemplates":[{{"name":"t{}","uriTemplate":"{}://{{id}}"}}]}})",
                       also_says(), scheme));
  } else if (method == "resources/read") {
    const std::string uri = params.find("uri")->string();
    const char* const one = std::getenv("ENFOLD_TEST_RESOURCE");
    const std::size_t length = uri.find("/long/");
    if (length != std::string::npos) {
      answer(id, fmt::format(R"({{"contents":[{{"uri":"{}","text":"{}"}}]}})", uri,
                             long_text(std::stoll(uri.substr(length + 6)))));
      return true;
    }
    uri.starts_with(std::string(scheme) + "://") || (one != nullptr && uri == one)
        ? answer(id, fmt::format(R"({{"contents":[{{"uri":"{}","text":"of {}{}"}}]}})", uri, scheme,
                                 also_says()))
        : refuse(id, -32002, "Resource not found");
  } else if (method == "completion/complete") {  // of whatever it is asked for
    answer(id, fmt::format(R"({{"completion":{{"values":["of {}"]}}}})", scheme));
  } else if (method == "prompts/list") {
    answer(id, fmt::format(R"({{"prompts":[{{"name":"{}"{}}}]}})", kLongPrompt,
                           says().empty() ? "" : R"(,"description":")" + says() + '"'));
  } else if (method == "prompts/get") {
    answer(id, fmt::format(R"({{"description":"{}{}","messages":[]}})",
                           params.find("name")->string(), also_says()));
  } else {
    return false;
  }
  return true;
}

void handle(View message, const std::string& era) {
  const std::string method = message.find("method") ? message.find("method")->string() : "";
  const View params = message.find("params").value_or(View());
  if (!message.find("id") || method.empty()) {  // or an answer
    heard().push_back(enfold::json::to_text(message));
    const bool asks = std::getenv("ENFOLD_TEST_ASKS_ROOTS") != nullptr;  // as servers of files do
    if (asks && method == "notifications/initialized") {
      say(R"({"jsonrpc":"2.0","id":"roots","method":"roots/list"})");
    }
    return;
  }
  const std::string id = enfold::json::to_text(*message.find("id"));
  if (serve_more(method, params, id)) return;
  if (method == "initialize" && era != "stateless") {
    heard().push_back(enfold::json::to_text(message));
    const auto capabilities = params.find("capabilities");
    may_elicit() = capabilities && capabilities->find("elicitation");
    answer(id,
           fmt::format(R"({{"protocolVersion":"2025-11-25",{},"serverInfo":{{"name":"upstream",)"
                       R"("version":"1","com.example/odd":true}}}})",
                       with_instructions(identity())));
  } else if (method == "server/discover" && era != "sessions") {
    answer(id, fmt::format(
                   R"({{"resultType":"complete","supportedVersions":["2026-07-28"],{},"ttlMs":0,)"
                   R"("cacheScope":"private","_meta":{{"io.modelcontextprotocol/serverInfo":)"
                   R"({{"name":"upstream","version":"1"}}}}}})",
                   identity()));
  } else if (method == "subscriptions/listen" && era != "sessions") {
    // Goes on for as long as somebody listens.
    heard().push_back(enfold::json::to_text(message));
    say(fmt::format(
        R"({{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":)"
        R"({{"notifications":{},"_meta":{{"io.modelcontextprotocol/subscriptionId":{}}}}}}})",
        enfold::json::to_text(*params.find("notifications")), id));
    if (std::getenv("ENFOLD_TEST_ENDS_STREAMS") != nullptr) {  // as a proxy may
      answer(id, R"({"resultType":"complete"})");
    }
  } else if (method == "tools/list" && mute()) {
    heard().push_back(enfold::json::to_text(message));
  } else if (method == "tools/list" && std::getenv("ENFOLD_TEST_NO_TOOLS") != nullptr) {
    refuse(id, -32601, "Method not found");
  } else if (method == "tools/list" && std::getenv("ENFOLD_TEST_ENDLESS") != nullptr) {
    static int page = 0;
    const std::string text(std::stoul(std::getenv("ENFOLD_TEST_ENDLESS")), 'x');
    ++page;
    answer(id, fmt::format(
                   R"({{"tools":[{}],"nextCursor":"c{}"}})",
                   tool(fmt::format("endless_{}", page), R"(,"com.example/text":")" + text + '"'),
                   page));
  } else if (method == "tools/list" && is_short) {
    answer(id, fmt::format(R"({{ "tools" : [ {} ] , "com.example/page" : 2 }})", last_tools()));
  } else if (method == "tools/list") {
    ++lists();
    while (is_there("ENFOLD_TEST_SLOW")) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (std::getenv("ENFOLD_TEST_RESTLESS") != nullptr) say(kChanged);
    // Two pages.
    const bool second = params.is_object() && params.find("cursor");
    answer(id, second ? fmt::format(R"({{"tools":[{}],"com.example/page":2}})", last_tools())
                      : fmt::format(R"({{"tools":[{}],"nextCursor":"2","com.example/page":1}})",
                                    tools()));
  } else if (method == "tools/call") {
    call(params, id, era == "sessions");
  } else if (method == "ping" || method == "logging/setLevel" || method == "resources/subscribe") {
    heard().push_back(enfold::json::to_text(message));
    answer(id, "{}");
  } else if (method.starts_with("tasks/")) {
    const auto task = params.find("taskId");
    serve_task(method, task ? task->string() : "", id);
  } else if (method.starts_with("com.example/")) {
    answer(id,
           fmt::format(R"({{"method":"{}","params":{}}})", method, enfold::json::to_text(params)));
  } else {
    refuse(id, -32601, "Method not found");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string era = argc > 1 ? argv[1] : "sessions";
  bare = argc > 2 && std::string(argv[2]) == "bare";
  is_short = argc > 2 && std::string(argv[2]) == "short";
  mute() = argc > 2 && std::string(argv[2]) == "mute";
  if (is_there("ENFOLD_TEST_DOWN")) return 3;
  std::string line;
  while (std::getline(std::cin, line)) {
    const auto parsed = enfold::json::parse(std::string_view(line));
    if (parsed) handle(parsed->root(), era);
  }
}
