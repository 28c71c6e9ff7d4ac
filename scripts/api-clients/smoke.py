"""A client in Python: its classes are generated from the schemas of the description of the API."""

import http.cookiejar
import json
import sys
import urllib.request
import uuid

import api

address = sys.argv[1]
opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))


def call(method, path, body=None, **headers):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address + path, data, headers, method=method)
    request.add_header("content-type", "application/json")
    try:
        answer = opener.open(request)
    except urllib.error.HTTPError as refused:
        answer = refused
    return answer.status, json.load(answer)


email = f"client-{uuid.uuid4()}@example.org"
status, body = call("POST", "/api/register", {"email": email, "password": "a long passcode"})
me = api.User.from_dict(body)
assert (status, me.email, me.is_admin, me.first_name) == (201, email, False, None)
assert me.created_at.utcoffset().total_seconds() == 0

entry = {"date": "2025-06-10", "content": "Rain.", "base": None}
status, body = call("POST", "/api/diary/save", entry)
saved = api.DiaryEntry.from_dict(body)
assert (status, saved.content) == (200, "Rain.")
status, body = call("POST", "/api/diary/save", entry)
conflict = api.Error.from_dict(body)
assert (status, conflict.code, conflict.current["content"]) == (400, "DiaryConflict", "Rain.")

room_input = {"name": "Clients", "description": "A check", "isPublic": True, "duration": 15, "invitedFriends": []}
status, body = call("POST", "/api/zimmers/create", room_input)
room = api.Room.from_dict(body)
assert (status, room.duration, room.is_member) == (201, 15, True)
key = str(uuid.uuid4())
path = f"/api/zimmers/{room.id}/messages"
answers = [call("POST", path, {"content": "One"}, **{"idempotency-key": key}) for _ in range(2)]
assert answers[0] == answers[1]
passage = api.RoomPassage.from_dict(answers[0][1])
assert (passage.content, passage.position, passage.author_name) == ("One", 1, None)
status, body = call("GET", "/api/feed/day/0")
assert status == 200
for post in body:
    api.PublicPost.from_dict(post)
print("The client in Python works.")
