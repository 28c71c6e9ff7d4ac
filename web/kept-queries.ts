import { getMe } from '#contract/account/endpoints.ts'
import { listSessions } from '#contract/account/sessions/endpoints.ts'
import { getSettings } from '#contract/account/settings/endpoints.ts'
import { listApiTokens } from '#contract/account/tokens/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { getConfig } from '#contract/app/endpoints.ts'
import { getAwayNotificationChoices } from '#contract/away-notifications/endpoints.ts'
import { listBookmarkIds, listBookmarks } from '#contract/bookmarks/endpoints.ts'
import { getCalendar } from '#contract/calendar/endpoints.ts'
import { getDiary, getDiaryEntry } from '#contract/diary/endpoints.ts'
import { getDocument, listDocuments } from '#contract/documents/endpoints.ts'
import { getDraft, listDrafts } from '#contract/drafts/endpoints.ts'
import { getOwnPost, listOwnPostIds, listTakenBackPosts } from '#contract/feed/own/endpoints.ts'
import { getPost } from '#contract/feed/reading/endpoints.ts'
import { listOwnPosts } from '#contract/feed/review/endpoints.ts'
import { listScheduledPosts } from '#contract/feed/scheduled/endpoints.ts'
import { listBlockedPeople, listFriends } from '#contract/friends/endpoints.ts'
import { listNotifications } from '#contract/inbox/endpoints.ts'
import { listAcceptances, listInvitations } from '#contract/invitations/endpoints.ts'
import { getOwnEmail } from '#contract/mails/endpoints.ts'
import { countUnread, listMessages } from '#contract/messages/endpoints.ts'
import { getReceipt } from '#contract/rooms/credit/endpoints.ts'
import {
  getRoom,
  getRoomMembership,
  listPassages,
  listRoomMembers,
  listRooms,
} from '#contract/rooms/endpoints.ts'
import { keptFirstPage, keptPost, keptPostsKind } from '#web/features/bookmarks/kept-posts.ts'
import { recentMessages } from '#web/features/messages/recent-messages.ts'
import { keptOfRoom, keptRoom } from '#web/features/rooms/kept-rooms.ts'
import type { KeptQueries } from '#web/lib/device/answer-store.ts'

/**
 * What a device keeps of a registered person, so that it can be read without a network. Not kept: what only admins read,
 * the posts that everybody reads, except those that the person keeps to read later, and what a search has found.
 */
export const keptQueries: KeptQueries = {
  days: [
    { kind: 'diary', list: getDiary, one: getDiaryEntry, field: 'entry_date' },
    { kind: 'notes', list: getCalendar, field: 'note_date' },
  ],
  answers: [
    {
      kind: 'account',
      endpoints: [getMe],
      shape: (user: User) => (user.isAnonymous ? undefined : user),
    },
    {
      kind: 'account',
      endpoints: [
        getConfig,
        getSettings,
        listSessions,
        listApiTokens,
        getOwnEmail,
        getAwayNotificationChoices,
        listBlockedPeople,
        listNotifications,
        listAcceptances,
        listInvitations,
      ],
    },
    { kind: 'conversations', endpoints: [listMessages], shape: recentMessages },
    { kind: 'conversations', endpoints: [listFriends, countUnread] },
    { kind: 'account', endpoints: [listBookmarkIds] },
    { kind: 'account', endpoints: [listBookmarks], shape: keptFirstPage },
    { kind: keptPostsKind, endpoints: [getPost], shape: keptPost },
    { kind: 'rooms', endpoints: [listRooms] },
    { kind: 'rooms', endpoints: [getRoom], shape: keptRoom },
    { kind: 'rooms', endpoints: [getReceipt] },
    { kind: 'rooms', endpoints: [listPassages, getRoomMembership, listRoomMembers], shape: keptOfRoom },
    {
      kind: 'writing',
      endpoints: [
        listDrafts,
        getDraft,
        listDocuments,
        getDocument,
        listOwnPosts,
        getOwnPost,
        listOwnPostIds,
        listScheduledPosts,
        listTakenBackPosts,
      ],
    },
  ],
}
