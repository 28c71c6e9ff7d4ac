import { type ArchiveFile, jsonFile } from '#contract/archive/file.ts'
import { commentsPath, readingPositionsPath } from '#contract/archive/layout.ts'
import { readAllComments } from '#web/features/feed/index.ts'
import { readPositions } from '#web/features/reading-position/index.ts'
import { loadKeysOf } from '#web/lib/storage.ts'

/** What only this browser has of a person. Comments name nobody: they are all of this browser. */
export async function localFiles(personId: string): Promise<ArchiveFile[]> {
  // The page of a suspended person has not loaded them.
  await loadKeysOf(personId)
  const comments = readAllComments()
  const positions = readPositions(personId)
  return [
    ...(Object.keys(comments).length > 0 ? [jsonFile(commentsPath, comments)] : []),
    ...(positions.length > 0 ? [jsonFile(readingPositionsPath, positions)] : []),
  ]
}
