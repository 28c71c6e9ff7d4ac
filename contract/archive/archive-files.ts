import { displayName } from '#contract/account/display-name.ts'
import type { User } from '#contract/account/user.ts'
import { addManifest, type ByteFile } from './add-manifest.ts'
import type { ArchiveCalls } from './calls.ts'
import { calendarFiles, diaryFiles } from './days.ts'
import { documentFiles } from './documents.ts'
import type { ArchiveFile } from './file.ts'
import { readmePath } from './layout.ts'
import { messageFiles } from './messages.ts'
import { type ArchivePart, archiveParts } from './parts.ts'
import { draftFiles, postFiles } from './posts.ts'
import { readme } from './readme.ts'
import { friendFiles, notificationFiles, readingFiles, settingsFiles } from './rest.ts'
import { storyFiles } from './stories.ts'

type Files = (calls: ArchiveCalls, person: User & { name: string }) => AsyncIterable<ArchiveFile>

const filesOf: Readonly<Record<ArchivePart, Files>> = {
  Diary: (calls, { id }) => diaryFiles(calls, id),
  Calendar: calendarFiles,
  Posts: postFiles,
  Drafts: draftFiles,
  Documents: documentFiles,
  Stories: (calls, { id }) => storyFiles(calls, id),
  Messages: messageFiles,
  Friends: friendFiles,
  Settings: settingsFiles,
  Notifications: notificationFiles,
  Reading: readingFiles,
}

interface Archive {
  calls: ArchiveCalls
  person: User
  origin: string
  /** Files from data that only this browser has, such as comments. */
  localFiles?: readonly ArchiveFile[]
  now: () => Date
  onPart?: (part: ArchivePart) => void
}

/**
 * The files of the archive of a person, one after the other, the manifest last. The same data gives the same files in the
 * same order, apart from `createdAt` of the manifest. Each file must be read to its end before the next one.
 */
export function archiveFiles({ person, origin, now, ...archive }: Archive): AsyncIterable<ByteFile> {
  const name = displayName(person)
  const about = {
    createdAt: now().toISOString(),
    origin,
    person: { id: person.id, name, email: person.email },
  }
  return addManifest(contentFiles({ ...archive, person: { ...person, name } }), about)
}

async function* contentFiles({
  calls,
  person,
  localFiles = [],
  onPart,
}: Omit<Archive, 'origin' | 'now'> & { person: { name: string } }): AsyncGenerator<ArchiveFile> {
  yield { path: readmePath, content: readme(person.name) }
  for (const part of archiveParts) {
    onPart?.(part)
    yield* filesOf[part](calls, person)
  }
  yield* localFiles
}
