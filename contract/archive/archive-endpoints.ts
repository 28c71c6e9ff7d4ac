import { getMe } from '#contract/account/endpoints.ts'
import { getSettings, getWritingSample } from '#contract/account/settings/endpoints.ts'
import { listBookmarks } from '#contract/bookmarks/endpoints.ts'
import { getCalendar } from '#contract/calendar/endpoints.ts'
import { getDiary } from '#contract/diary/endpoints.ts'
import { getDocument, listDocuments } from '#contract/documents/endpoints.ts'
import { getDraft, listDrafts } from '#contract/drafts/endpoints.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { getPostVersion, listOwnTexts } from '#contract/feed/own/endpoints.ts'
import { listFollows } from '#contract/follows/endpoints.ts'
import { listBlockedPeople, listFriends } from '#contract/friends/endpoints.ts'
import { listNotifications } from '#contract/inbox/endpoints.ts'
import { listMessages } from '#contract/messages/endpoints.ts'
import { getRoomStory, listOwnStories, listPassages } from '#contract/rooms/endpoints.ts'

/** The calls that read an archive. A suspended person may make them, and no others (S62). */
export const archiveEndpoints: readonly Endpoint[] = [
  getMe,
  getDiary,
  getCalendar,
  listOwnTexts,
  getPostVersion,
  listDrafts,
  getDraft,
  listDocuments,
  getDocument,
  listOwnStories,
  listPassages,
  getRoomStory,
  listFriends,
  listMessages,
  listBlockedPeople,
  getSettings,
  getWritingSample,
  listNotifications,
  listBookmarks,
  listFollows,
]
