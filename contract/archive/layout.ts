// Where each thing stands in the archive of a person. Ids, days and versions are the only parts of paths that differ, so that
// no text of a person is ever part of a path.

export const archiveFormat = 'zimmer-archive'
/** A program that reads archives refuses a newer version than its own. */
export const archiveVersion = 1

export const manifestPath = 'manifest.json'
export const readmePath = 'README.txt'
export const dayOnePath = 'diary.dayone.json'

export const diaryPath = (day: string): string => `diary/${day}.md`
export const calendarPath = (day: string): string => `calendar/${day}.md`
/** `day` is that of the publication, or of the creation while there is none. */
export const postPath = (day: string, id: string): string => `posts/${day}-${id}.md`
export const postVersionPath = (postId: string, day: string, id: string): string =>
  `posts/${postId}/${day}-${id}.md`
/** The new version of a published post that waits for review. */
export const waitingVersionPath = (postId: string): string => `posts/${postId}/waiting.md`
export const draftPath = (id: string): string => `drafts/${id}.md`
export const documentPath = (id: string): string => `documents/${id}.md`
export const storyPath = (id: string, name: 'story.md' | 'story.epub' | 'passages.json'): string =>
  `stories/${id}/${name}`
export const messagesPath = (friendId: string, extension: 'json' | 'md'): string =>
  `messages/${friendId}.${extension}`
export const friendsPath = 'friends.json'
export const settingsPath = 'settings.json'
export const notificationsPath = 'notifications.json'
export const readingPath = 'reading.json'
/** These two are only in an archive that a page has made, when its browser has any. */
export const commentsPath = 'comments.json'
export const readingPositionsPath = 'reading-positions.json'
