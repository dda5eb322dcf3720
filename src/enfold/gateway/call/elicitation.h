// SPDX-License-Identifier: Apache-2.0
// Questions of upstreams to clients: elicitation, sampling, roots. To a client with a session
// Enfold sends a question as a request. A client without a session gets it as the result of its
// call; the call is parked until the client calls again with the answer. A question that comes
// before its client can be asked waits: servers ask for roots as soon as they are connected.
#pragma once

#include "enfold/base/lifetime.h"
#include "enfold/gateway/lists/local_tools.h"
#include "enfold/gateway/upstream/connections.h"

namespace enfold::gateway {

class Elicitations {
 public:
  Elicitations(const Environment& environment, Connections& connections, OpenCalls& calls,
               LocalTools& local);

  /// An upstream has asked a question. If its client cannot be asked yet, the question waits; if
  /// it never can, Enfold answers with an error.
  void on_question(UpstreamConnection& connection, const mcp::ServerRequest& question);
  /// A client session or a call has begun on this connection, or a parked call was resumed: tries
  /// again to ask the waiting questions of the connection.
  void ask_waiting(UpstreamConnection& connection);
  /// The upstream has withdrawn its question `key`: Enfold withdraws it from the client too.
  void on_withdrawn(UpstreamConnection& connection, mcp::ServerRequestKey key);
  /// A client with a session has answered the request `key`, or let it time out.
  void on_answer(serve::ClientChannel& channel, mcp::ServerRequestKey key,
                 const mcp::ResultOrError& outcome);
  /// The client has disconnected: Enfold answers its open questions with an error.
  void on_closed(serve::ClientChannel& channel);

  /// Continues the parked call that `call` names by its state; nullptr: this principal has no such
  /// parked call.
  [[nodiscard]] std::shared_ptr<serve::OpenCall> resume(
      const mcp::Call& call, const std::shared_ptr<serve::ClientChannel>& channel);

  /// If the result is `input_required`, wraps and signs its requestState, so that only this
  /// principal can send it back. Returns any other result unchanged, and without principals every
  /// result.
  [[nodiscard]] json::Value sign_state(const ClientCall& call, json::Value result) const;
  /// The call with the requestState that the upstream sent. `call` has a state that `resume` does
  /// not know. An error if the state was not signed for this principal and this call; also if
  /// `upstream` has sessions, because its states belong to parked calls. Without principals, states
  /// are not signed, and the call stays as it is. `upstream`: where the call goes; nullptr: no
  /// upstream has the tool or prompt, and the state is checked as for a stateless upstream.
  [[nodiscard]] tl::expected<mcp::Call, mcp::RpcError> restore_state(
      const mcp::Call& call, serve::ClientChannel& channel, const Upstream* upstream) const;

 private:
  /// A question that was sent to a client as a request.
  struct Question {
    serve::ClientChannel* channel;
    std::weak_ptr<UpstreamConnection> connection;
    mcp::ServerRequestKey upstream;    ///< key of the upstream's request on `connection`
    mcp::ServerRequestKey downstream;  ///< key of the request to the client on `channel`
  };
  struct ParkedCall {
    std::string principal;
    std::shared_ptr<ClientCall> call;
    std::unique_ptr<serve::Alarm> timeout;
  };
  /// A question that came before its client could be asked.
  struct WaitingQuestion {
    std::weak_ptr<UpstreamConnection> connection;
    mcp::ServerRequest question;
    std::unique_ptr<serve::Alarm> timeout;
    bool came_during_request;  ///< a request was open on the connection when the question came
  };
  /// Asks a client. False: there is none that can be asked yet. True does not say that the client
  /// got the question: the upstream may have got an error as its answer.
  bool ask(UpstreamConnection& connection, const mcp::ServerRequest& question);
  /// Sends the question as a request. `about`: the client's call that it belongs to; nullopt: none.
  void ask_session(UpstreamConnection& connection, const mcp::ServerRequest& question,
                   serve::ClientChannel& channel, std::optional<mcp::CallKey> about);
  /// Parks the call and sends the question as its result.
  void ask_by_result(ClientCall& call, const mcp::ServerRequest& question);
  /// Adds the question to `waiting_`.
  void wait(UpstreamConnection& connection, const mcp::ServerRequest& question);
  /// The client could not be asked in time: answers the question with an error. But a question that
  /// came during a request waits again if no request is open any more.
  void on_wait_timeout(mcp::ServerRequestKey key, const UpstreamConnection* connection);
  /// The client did not answer in time: ends the parked call.
  void on_timeout(const std::string& state);

  const Environment& environment_;
  Connections& connections_;
  OpenCalls& calls_;
  LocalTools& local_;
  std::vector<Question> questions_;
  std::vector<WaitingQuestion> waiting_;
  std::unordered_map<std::string, ParkedCall>
      parked_;  ///< by the state that the client sends with its answer
  std::unordered_map<std::string, std::size_t>
      parked_count_;  ///< number of parked calls, by principal
  Lifetime alive_;
};

}  // namespace enfold::gateway
