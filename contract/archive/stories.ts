import { getRoomStory, listOwnStories, listPassages } from '#contract/rooms/endpoints.ts'
import { authorOf, type RoomPassage } from '#contract/rooms/room.ts'
import { type ArchiveCalls, pagesOf, rowsOf } from './calls.ts'
import { type ArchiveFile, jsonFile } from './file.ts'
import { storyPath } from './layout.ts'
import type { ArchivedPassage } from './manifest.ts'

/** The rooms in which the person wrote. An open one has no story yet, and so only its passages. */
export async function* storyFiles(calls: ArchiveCalls, personId: string): AsyncGenerator<ArchiveFile> {
  for await (const { id, isActive } of rowsOf(calls, listOwnStories)) {
    if (!isActive)
      for (const format of ['md', 'epub'] as const) {
        const content = await calls.readFile(getRoomStory, { params: { id, format } })
        if (content !== undefined) yield { path: storyPath(id, `story.${format}`), content }
      }
    yield jsonFile(storyPath(id, 'passages.json'), await passagesOf(calls, id, personId))
  }
}

/** All passages of a room in their order. The size of a story is limited. */
async function passagesOf(calls: ArchiveCalls, id: string, personId: string): Promise<ArchivedPassage[]> {
  const pages: RoomPassage[][] = []
  for await (const page of pagesOf(calls, listPassages, { params: { id } })) pages.unshift(page)
  return pages.flat().map((passage) => ({
    position: passage.position,
    content: passage.content,
    createdAt: passage.createdAt,
    author: authorOf(passage),
    isMine: passage.userId === personId,
  }))
}
