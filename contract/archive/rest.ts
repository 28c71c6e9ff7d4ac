import type { User } from '#contract/account/user.ts'
import { getSettings, getWritingSample } from '#contract/account/settings/endpoints.ts'
import { listBookmarks } from '#contract/bookmarks/endpoints.ts'
import { listFollows } from '#contract/follows/endpoints.ts'
import { listBlockedPeople, listFriends } from '#contract/friends/endpoints.ts'
import { listNotifications } from '#contract/inbox/endpoints.ts'
import { allOf, type ArchiveCalls } from './calls.ts'
import { type ArchiveFile, jsonFile } from './file.ts'
import { friendsPath, notificationsPath, readingPath, settingsPath } from './layout.ts'

export async function* friendFiles(calls: ArchiveCalls): AsyncGenerator<ArchiveFile> {
  const friends = (await allOf(calls, listFriends)).map(({ id, username, firstName, lastName, email }) => ({
    id,
    username,
    firstName,
    lastName,
    email,
  }))
  yield jsonFile(friendsPath, { friends, blocked: await allOf(calls, listBlockedPeople) })
}

export async function* settingsFiles(calls: ArchiveCalls, person: User): AsyncGenerator<ArchiveFile> {
  const { email, firstName, lastName, username, createdAt } = person
  const settings = (await calls.read(getSettings, {}))?.output
  const sample = (await calls.read(getWritingSample, {}))?.output
  yield jsonFile(settingsPath, {
    account: { email, firstName, lastName, username, createdAt },
    ...settings,
    ...sample,
  })
}

export async function* notificationFiles(calls: ArchiveCalls): AsyncGenerator<ArchiveFile> {
  yield jsonFile(notificationsPath, await allOf(calls, listNotifications))
}

export async function* readingFiles(calls: ArchiveCalls): AsyncGenerator<ArchiveFile> {
  yield jsonFile(readingPath, {
    bookmarks: await allOf(calls, listBookmarks),
    follows: await allOf(calls, listFollows),
  })
}
