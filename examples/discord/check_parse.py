#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is this server the upstream that `enfold parse` is made for?

  check_parse.py SERVER ENFOLD

Calls every tool, gives the whole MCP result to `enfold parse --tool NAME`, and compares what comes out
with the table below: which type of response it is, and where counters, pages and status went.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORKSPACE = json.loads((HERE / "workspace.json").read_text())
MESSAGES = {message["content"]: message["id"] for message in WORKSPACE["state"]["messages"]}
GUILD = WORKSPACE["guilds"][0]["id"]
CHANNELS = {channel["name"]: channel["id"] for channel in WORKSPACE["channels"]}
LOG = CHANNELS["harbour-log"]

# tool, arguments, responseType, members that must be there with these values (None: must be absent)
TABLE = [
    ("discord_list_guilds", {}, "list",
     {"/data/0/name": "Tide Tables", "/summary": {"total": 2, "returned": 2, "hasMore": False}, "/pagination": None}),
    ("discord_list_channels", {"limit": 3, "offset": 3}, "list",
     {"/data/0/name": "rules", "/pagination": {"offset": 3, "limit": 3, "hasMore": True, "nextOffset": 6},
      "/summary": {"total": 7, "returned": 3, "hasMore": True}, "/metadata/applyFilters": True}),
    ("discord_list_guild_members", {"guildId": GUILD, "limit": 1}, "list",
     {"/data/0/username": "marlow", "/summary": {"total": 4, "returned": 1},
      "/metadata/guild/name": "Tide Tables"}),
    ("discord_list_channel_filters", {}, "list",
     {"/data/0/defaultAction": "include", "/summary": {"returned": 1}, "/pagination": None}),
    ("discord_get_pending_guild_channels", {"limit": 2}, "list",
     {"/data/0/name": "voice lounge", "/pagination": {"offset": 0, "limit": 2, "hasMore": True, "nextOffset": 2},
      "/summary": {"total": 4, "returned": 2, "hasMore": True}}),
    ("discord_read_channel", {"channelId": LOG, "limit": 2}, "list",
     {"/data/0/content": "Chart and an old picture",
      "/pagination": {"limit": 2, "hasMore": True, "before": MESSAGES["Table for tomorrow"]},
      "/summary": {"returned": 2, "hasMore": True}, "/metadata/channel/name": "harbour-log"}),
    ("discord_read_channel", {"channelId": LOG, "limit": 2, "after": MESSAGES["Gate closed"]}, "list",
     {"/pagination": {"limit": 2, "hasMore": True, "after": MESSAGES["Low water 06:12"]}}),
    ("discord_get_user_info", {}, "single",
     {"/data/user/username": "marlow", "/data/status": "online", "/status": None}),
    ("discord_send_message", {"channelId": LOG, "content": "High water 12:31"}, "action",
     {"/status": "success", "/data/content": "High water 12:31", "/error": None}),
    ("discord_edit_message", {"channelId": LOG, "messageId": MESSAGES["Gate closed"], "content": "Gate open"}, "action",
     {"/status": "success", "/data/messageId": MESSAGES["Gate closed"]}),
    ("discord_reply_message", {"channelId": LOG, "messageId": MESSAGES["Fog until noon"], "content": "Thanks"}, "action",
     {"/status": "success", "/data/replyTo": MESSAGES["Fog until noon"]}),
    ("discord_delete_message", {"channelId": LOG, "messageId": MESSAGES["Gate closed"]}, "action",
     {"/status": "success", "/message": "Message deleted"}),
    ("discord_download_attachments", {"channelId": LOG, "messageId": MESSAGES["Table for tomorrow"]}, "action",
     {"/status": "success", "/message": "Downloaded 2 of 2 attachments"}),
    ("discord_download_attachments", {"channelId": LOG, "messageId": MESSAGES["Chart and an old picture"]}, "action",
     {"/status": "partial", "/message": "Downloaded 1 of 2 attachments"}),
    ("discord_update_channel_filters", {"exclude": [CHANNELS["ovens"]]}, "action",
     {"/status": "success", "/message": "Filters updated"}),
    ("mcp_list_tools", {}, "tool_catalog",
     {"/data/0/name": "discord_list_guilds", "/data/13/name": "mcp_list_tools", "/summary": {"returned": 14}}),
    # What goes wrong. Each failure has a code, and the reader knows what kind it is (see KINDS).
    ("discord_send_message", {"channelId": CHANNELS["rules"], "content": "Hello"}, "error",
     {"/status": "error", "/error/code": "MISSING_PERMISSIONS", "/data": None,
      "/error/message": "Failed to send message: missing permission to write in #rules",
      "/message": "Failed to send message: missing permission to write in #rules"}),
    ("discord_send_message", {"channelId": "1", "content": "Hello"}, "error", {"/error/code": "UNKNOWN_CHANNEL"}),
    ("discord_send_message", {"channelId": LOG}, "error", {"/error/code": "MISSING_REQUIRED"}),
    ("discord_send_message", {"channelId": CHANNELS["voice lounge"], "content": "?"}, "error",
     {"/error/code": "INVALID_CHANNEL_TYPE"}),
    ("discord_list_channels", {"guildId": "1"}, "error", {"/error/code": "UNKNOWN_GUILD"}),
    ("discord_get_user_info", {"userId": "1"}, "error", {"/error/code": "UNKNOWN_USER"}),
    ("discord_read_channel", {}, "error", {"/error/code": "INVALID_FORM_BODY"}),
    ("discord_edit_message", {"channelId": LOG, "messageId": "1", "content": "?"}, "error",
     {"/error/code": "UNKNOWN_MESSAGE"}),
    ("discord_download_attachments", {"channelId": CHANNELS["general"], "messageId": MESSAGES["Good morning"]}, "error",
     {"/status": "error", "/error/code": "ATTACHMENTS_NOT_FOUND",
      "/error/message": "Failed to download attachments: the message has no attachments"}),
]

# What `enfold convert` makes of a code: a failure that nobody knows would be "internal".
KINDS = {"MISSING_PERMISSIONS": "authorization", "UNKNOWN_CHANNEL": "not_found", "UNKNOWN_GUILD": "not_found",
         "UNKNOWN_USER": "not_found", "UNKNOWN_MESSAGE": "not_found", "ATTACHMENTS_NOT_FOUND": "not_found",
         "MISSING_REQUIRED": "validation", "INVALID_CHANNEL_TYPE": "validation", "INVALID_FORM_BODY": "validation"}


def at(document, pointer):
    for token in pointer.split("/")[1:]:
        if isinstance(document, list) and token.isdigit() and int(token) < len(document):
            document = document[int(token)]
        elif isinstance(document, dict) and token in document:
            document = document[token]
        else:
            return None
    return document


def answers(server, folder):
    """Every call of the table over stdio; (tools, results by number)."""
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "check", "version": "1"}}
    lines = [{"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": hello},
             {"jsonrpc": "2.0", "method": "notifications/initialized"},
             {"jsonrpc": "2.0", "id": "tools", "method": "tools/list", "params": {}}]
    lines += [{"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
              for number, (tool, arguments, _, _) in enumerate(TABLE)]
    ended = subprocess.run([server, "--config", HERE / "config.json"], input="\n".join(map(json.dumps, lines)) + "\n",
                           capture_output=True, text=True, cwd=folder, timeout=60, check=True)
    said = {message["id"]: message for message in map(json.loads, ended.stdout.splitlines()) if "id" in message}
    return {tool["name"] for tool in said["tools"]["result"]["tools"]}, said


def problems_of(parsed, tool, kind, members):
    found = [] if parsed.get("toolName") == tool else [f"toolName is {parsed.get('toolName')}"]
    if parsed.get("responseType") != kind:
        found.append(f"responseType: expected {kind}, found {parsed.get('responseType')}")
    for pointer, wanted in members.items():
        if at(parsed, pointer) != wanted:
            found.append(f"{pointer}: expected {wanted}, found {at(parsed, pointer)}")
    return found


def kind_problems(enfold, answer, code):
    converted = subprocess.run([enfold, "convert", "--to", "response-v2"], input=json.dumps(answer),
                               capture_output=True, text=True, timeout=60, check=True).stdout
    found = at(json.loads(converted), "/data/error_type")
    return [] if found == KINDS[code] else [f"error_type of {code}: expected {KINDS[code]}, found {found}"]


def main():
    server, enfold = sys.argv[1:]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        tools, said = answers(server, folder)
    called = {tool for tool, _, _, _ in TABLE}
    if len(tools) != 14 or tools != called:
        print(f"expected the 14 tools of the table, found {sorted(tools ^ called)} in one and not the other")
        wrong += 1
    for number, (tool, _, kind, members) in enumerate(TABLE):
        # As a client has it, and as the JSON-RPC message that it came in.
        for answer in (said[number]["result"], said[number]):
            parsed = subprocess.run([enfold, "parse", "--tool", tool], input=json.dumps(answer),
                                    capture_output=True, text=True, timeout=60, check=True).stdout
            valid = subprocess.run([enfold, "validate", "--strict", "--contract", "generic"], input=parsed,
                                   capture_output=True, text=True, timeout=60)
            found = problems_of(json.loads(parsed), tool, kind, members)
            found += [valid.stdout + valid.stderr] if valid.returncode != 0 else []
            if kind == "error":
                found += kind_problems(enfold, answer, members["/error/code"])
            wrong += bool(found)
            for problem in found:
                print(f"{tool} (call {number}): {problem}\n  {parsed}")
    print(f"{len(TABLE)} answers of {len(tools)} tools parsed, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
