// SPDX-License-Identifier: Apache-2.0
// What is behind a Client: one peer (the protocol), one transport (the bytes), and the requests
// that are open. Shared, so that whoever is called back may let go of the client.
#pragma once

#include "enfold/client/client.h"
#include "enfold/client/transport.h"
#include "enfold/mcp/peer/client_peer.h"
#include "enfold/mcp/wire/cut_message.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace enfold::client::detail {

class Core final : public std::enable_shared_from_this<Core>, private TransportOwner {
 public:
  using Connected = net::Callback<void(Result<mcp::ServerIdentity> server)>;

  Core(net::Loop& loop, Target target, ClientOptions options, ClientEvents events);
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;
  ~Core() override;

  void connect(Connected done);
  Ticket request(mcp::CallOptions options, CallEvents events);
  void cancel(Ticket ticket, std::string_view reason);
  void notify(std::string_view method, json::View params);
  void answer(mcp::AskKey ask, mcp::Outcome outcome);
  void close(net::Task done, const Error& told);
  void abandon();

  [[nodiscard]] bool is_ready() const { return state_ == State::ready; }
  [[nodiscard]] const mcp::ServerIdentity& server() const { return server_; }
  [[nodiscard]] const Target& target() const { return target_; }
  [[nodiscard]] bool is_over_http() const { return std::holds_alternative<HttpTarget>(target_); }
  [[nodiscard]] std::size_t open_requests() const { return open_.size(); }
  [[nodiscard]] const ClientOptions& options() const { return options_; }
  [[nodiscard]] net::Loop& loop() const { return loop_; }

 private:
  enum class State { idle, connecting, ready, closed };
  class Inside;
  struct Open {
    mcp::CallOptions options;
    CallEvents events;
    std::optional<mcp::CallKey> call;  ///< nullopt: not sent yet
    bool was_repeated = false;
    bool is_held = false;  ///< for the session after this one, which is over
    std::optional<std::chrono::seconds> retry_after;
  };
  /// What came that nobody could use, for the message of a call that got no answer.
  struct Noise {
    std::size_t count = 0;
    std::string first;
  };

  // TransportOwner
  void on_message(std::string_view bytes, std::optional<mcp::CallKey> about) override;
  void on_session(std::string id) override;
  void on_refused(std::optional<mcp::CallKey> call, const Refusal& refusal) override;
  void on_stream_end(mcp::CallKey call, std::string_view last_event_id,
                     std::optional<std::chrono::milliseconds> retry) override;
  void on_undelivered(mcp::CallKey call, const Error& error) override;
  void on_noise(const Error& error) override;
  void on_oversize(const Error& error, std::string_view beginning) override;
  void on_skipped(std::string_view end) override;
  void on_error_line(std::string_view line) override;
  void on_lost(const Error& error) override;

  void begin(ClientOptions::Eras eras);
  [[nodiscard]] ClientOptions::Eras first_eras() const;
  void broke(const Error& error);
  void retire();

  // core_actions.cc
  void carry_out(mcp::ClientActions actions);
  void perform(mcp::Transmit& action);
  void perform(mcp::Ready& action);
  void perform(mcp::Broken& action);
  void perform(mcp::Finished& action);
  void perform(mcp::Refused& action);
  void perform(mcp::Lost& action);
  void perform(mcp::Progressed& action);
  void perform(mcp::Logged& action);
  void perform(mcp::ListChanged& action);
  void perform(mcp::ResourceUpdated& action);
  void perform(mcp::Acknowledged& action);
  void perform(mcp::InputAsked& action);
  void perform(mcp::InputWithdrawn& action);
  void perform(mcp::CloseStream& action);
  void perform(mcp::Resume& action);
  void perform(mcp::Heard& action);

  void send_waiting();
  void send(Ticket ticket);
  void finish(mcp::CallKey call, CallResult result);
  void finish(Ticket ticket, CallResult result);
  void fail_all(const Error& error);
  [[nodiscard]] std::shared_ptr<Open> find(mcp::CallKey call);
  [[nodiscard]] Error explain(Error error, const Open* open) const;
  [[nodiscard]] std::optional<mcp::CallKey> meant_by(const mcp::CutMessage& seen) const;
  void lose_answer(std::string_view bytes, const Error& error);
  void note(std::string_view what);
  void set_timer();
  [[nodiscard]] mcp::Time now() const;

  net::Loop& loop_;
  Target target_;
  ClientOptions options_;
  ClientEvents events_;
  State state_ = State::idle;
  bool is_abandoned_ = false;  ///< nobody is there to be called back
  std::optional<mcp::Era> known_era_;
  ClientOptions::Eras eras_ = ClientOptions::Eras::both;  ///< that the peer was told to try
  int depth_ = 0;  ///< how many of our functions, called from outside, are on the stack
  std::unique_ptr<mcp::ClientPeer> peer_;
  std::unique_ptr<Transport> transport_;
  std::vector<std::shared_ptr<Transport>> retired_;
  mcp::ServerIdentity server_;
  Connected on_connected_;
  std::map<Ticket, std::shared_ptr<Open>> open_;
  std::map<mcp::CallKey, Ticket> tickets_;
  std::uint64_t last_ticket_ = 0;
  std::optional<Error> loss_;       ///< why the transport is gone, while its calls end
  std::optional<Refusal> refusal_;  ///< that is being told
  /// An answer that was too long, while nobody knows whose it is.
  struct LostAnswer {
    Error told;
    std::vector<mcp::CallKey> suspects;
  };
  std::optional<LostAnswer> lost_answer_;
  Noise noise_;
  net::Timer timer_;
  std::vector<net::Task> closing_;  ///< who waits for the end of the transport
};

/// While somebody is inside, nothing that may be on the stack is destroyed.
class Core::Inside {
 public:
  explicit Inside(Core& core) : core_(core.shared_from_this()) { ++core_->depth_; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() { --core_->depth_; }

 private:
  std::shared_ptr<Core> core_;
};

}  // namespace enfold::client::detail
