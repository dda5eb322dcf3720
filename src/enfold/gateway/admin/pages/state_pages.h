// SPDX-License-Identifier: Apache-2.0
// The pages of the admin API about the state of the gateway: the operator's session, upstreams, and
// client sessions.
#pragma once

#include "enfold/gateway/admin/http/access.h"
#include "enfold/gateway/admin/pages/source.h"

namespace enfold::gateway {

class StatePages {
 public:
  StatePages(const AdminSource& source, const Recorder& recorder)
      : source_(source),
        recorder_(recorder),
        started_(std::chrono::floor<std::chrono::milliseconds>(
            source.calls.environment.host.calendar())) {}

  /// The operator's session and what the page must know at its start, such as the contracts.
  void session(const Access::Login& login, const Respond& respond) const;
  void upstreams(const Respond& respond) const;
  void sessions(const Respond& respond) const;  ///< of clients

  /// The members of the event `state`, into an open object.
  void write_state(json::Writer& writer) const;

 private:
  void write_upstreams(json::Writer& writer) const;  ///< a member, into an open object
  void write_session(json::Writer& writer, const ClientSession& session) const;

  const AdminSource& source_;
  const Recorder& recorder_;
  RecordTime started_;
};

}  // namespace enfold::gateway
