// SPDX-License-Identifier: Apache-2.0
// One message a line, over a pair of sockets. Lines come in the order in which they were sent.
#include "enfold/serve/stdio.h"
#include "tests/transcripts/line.h"
#include "tests/transcripts/socket_stage.h"

namespace enfold::transcripts {
namespace {

class StdioStage final : public SocketStage {
 public:
  explicit StdioStage(json::View setup) : SocketStage(setup) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()), 0);
    client_ = std::make_unique<net::RawPeer>(ends[1]);
    server_ =
        std::move(*serve::StdioServer::open(service_, *loop_, net::FileDescriptor(::dup(ends[0])),
                                            net::FileDescriptor(ends[0]), [] {}));
  }

 private:
  void receive(json::View line) override { client_->send(message_at(line) + "\n"); }

  bool end() override {
    server_->drain();
    return true;
  }

  std::optional<std::string> see_send(json::View line) override {
    loop_.until_quiet([&] { return has_line(); });
    if (!has_line()) return "nothing";
    std::string found = take_line();
    const auto message = json::parse(found);
    if (message && json::equal(message->root(), value_at(line, "message").view())) {
      return std::nullopt;
    }
    return found;
  }

  std::vector<std::string> take_messages() override {
    std::vector<std::string> rest;
    while (has_line()) rest.push_back(take_line());
    return rest;
  }

  bool has_line() { return client_->received().find('\n', at_) != std::string::npos; }
  std::string take_line() {
    const std::string& all = client_->received();
    const std::size_t end = all.find('\n', at_);
    std::string line = all.substr(at_, end - at_);
    at_ = end + 1;
    return line;
  }

  std::unique_ptr<net::RawPeer> client_;
  std::unique_ptr<serve::StdioServer> server_;
  std::size_t at_ = 0;  ///< of the first byte that nobody has seen
};

}  // namespace

std::unique_ptr<Stage> stdio_stage(json::View setup) { return std::make_unique<StdioStage>(setup); }

}  // namespace enfold::transcripts
