// SPDX-License-Identifier: Apache-2.0
// Long-running tools, which clients of the tasks extension get as tasks.
#include "enfold/contract/errors/failures.h"
#include "fixtures.h"

#include <thread>

namespace conformance {
namespace {

using namespace enfold;
using server::Answer;
using server::Context;
using server::NeedsInput;
using server::Text;

struct Named {
  std::string name;
  static constexpr auto fields() { return server::fields<&Named::name>(); }
};

struct Work {
  double seconds = 0;
  std::optional<std::string> label;
  static constexpr auto fields() { return server::fields<&Work::seconds, &Work::label>(); }
};

struct File {
  std::string filename;
  static constexpr auto fields() { return server::fields<&File::filename>(); }
};

struct Confirmation {
  bool confirm = false;
  static constexpr auto fields() { return server::fields<&Confirmation::confirm>(); }
};

Text compute(const Work& work, Context& context) {
  constexpr std::chrono::milliseconds step(20);
  const std::chrono::duration<double> total(work.seconds);
  for (std::chrono::duration<double> done(0); done < total && !context.should_stop();
       done += step) {
    context.progress(done.count(), work.seconds);
    std::this_thread::sleep_for(step);
  }
  return Text{"computed " + work.label.value_or("nothing")};
}

Answer<Text> fail() {
  return contract::make_failure(contract::failures::Internal{.message = "The job failed"});
}

// The clients of the suite have no roots, so that asking for them ends in a protocol error.
Answer<Text> break_protocol(Context& context) {
  if (context.input("roots") != nullptr) return Text{"no error"};
  return NeedsInput{{mcp::ask_roots("roots")}, {}};
}

Answer<Text> confirm_delete(const File& file, Context& context) {
  const auto answer = context.elicit<Confirmation>("Delete " + file.filename + "?");
  if (!answer.is_answered()) return answer.question();
  const bool confirmed = answer.is_accepted() && answer->confirm;
  return Text{(confirmed ? "deleted " : "kept ") + file.filename};
}

Answer<Text> ask_twice(Context& context) {
  const auto first = context.elicit<Confirmation>("The first?", "first");
  const auto second = context.elicit<Confirmation>("The second?", "second");
  if (first.is_answered() && second.is_answered()) return Text{"both answered"};
  return NeedsInput{{first.request(), second.request()}};
}

Answer<Text> ask_then_work(Context& context) {
  const auto user = context.elicit<Named>("What is your name?", "user_name");
  if (!user.is_answered()) return user.question();
  context.start_task();
  return Text{"Hello, " + (user.is_accepted() ? user->name : "stranger") + "!"};
}

}  // namespace

void add_task_tools(server::Server& server) {
  server.tool("greet", "Says hello",
              [](const Named& who) { return Text{"Hello, " + who.name + "!"}; });
  const server::TaskOptions options{.poll_interval = std::chrono::milliseconds(100)};
  server::TaskOptions required = options;
  required.required = true;
  server::TaskOptions after_question = required;
  after_question.start_at_once = false;
  server.tool("slow_compute", "Takes some seconds", compute).task(options);
  server.tool("failing_job", "Fails", fail).task(required);
  server.tool("protocol_error_job", "Ends in a protocol error", break_protocol).task(options);
  server.tool("confirm_delete", "Asks before it deletes", confirm_delete).task(options);
  server.tool("multi_input", "Asks two questions at once", ask_twice).task(options);
  server.tool("test_tool_with_task", "Asks, then goes on as a task", ask_then_work)
      .task(after_question);
}

}  // namespace conformance
