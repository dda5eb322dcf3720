// SPDX-License-Identifier: Apache-2.0
// A server as a child process: one message a line over its pipes. The last lines of its error
// output are kept, because they usually say why it ended.
#pragma once

#include "enfold/client/transport.h"
#include "enfold/net/line_channel.h"
#include "enfold/net/process.h"

#include <deque>

namespace enfold::client::detail {

class StdioTransport final : public Transport {
 public:
  StdioTransport(net::Loop& loop, StdioTarget target, const ClientOptions& options,
                 TransportOwner& owner);
  StdioTransport(const StdioTransport&) = delete;
  StdioTransport& operator=(const StdioTransport&) = delete;
  ~StdioTransport() override;

  [[nodiscard]] Status start() override;
  [[nodiscard]] Status send(mcp::Transmit message) override;
  void forget(mcp::CallKey /*call*/) override {}
  void resume(const mcp::Resume& /*resume*/, std::vector<mcp::Header> /*headers*/) override {}
  void listen(std::vector<mcp::Header> /*headers*/) override {}
  void close(std::vector<mcp::Header> headers, net::Task done) override;
  void hurry() override;

 private:
  [[nodiscard]] Status open_channels();
  void keep_error_line(std::string_view line);
  void on_part_ended();
  void on_settled();
  void report_end();
  [[nodiscard]] Error what_happened() const;

  net::Loop& loop_;
  StdioTarget target_;
  net::LineLimits limits_;
  TransportOwner& owner_;
  std::unique_ptr<net::Process> process_;
  std::unique_ptr<net::LineChannel> channel_;
  std::unique_ptr<net::LineChannel> errors_;
  std::deque<std::string> error_lines_;
  std::size_t error_bytes_ = 0;
  std::optional<net::ProcessExit> exit_;
  bool output_ended_ = false;
  bool errors_ended_ = false;
  bool reported_ = false;
  net::Timer settle_;
  net::Task on_closed_;
};

}  // namespace enfold::client::detail
