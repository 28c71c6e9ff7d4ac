import { useQuery, useQueryClient } from '@tanstack/react-query'
import { listPassages } from '#contract/rooms/endpoints.ts'
import type { RoomPassage } from '#contract/rooms/room.ts'
import { type Contributor, contributorsByWords, counted } from '#contract/rooms/story.ts'
import { queryKeyOf, type ReadState, readStateOf } from '#web/lib/api.ts'
import { readPassages } from './api.ts'
import { embeddedStory } from './embedded-story.ts'

export interface FinishedStory {
  passages: RoomPassage[]
  contributors: Contributor[]
}

/** The whole story of a room that has ended. */
export function useStory(id: string): ReadState<FinishedStory> {
  const client = useQueryClient()
  const [path] = queryKeyOf(listPassages, { params: { id } })
  const query = useQuery({
    queryKey: [path, 'whole'],
    initialData: () => {
      const passages = client.getQueryData<RoomPassage[]>([path, embeddedStory])
      return passages && { passages, contributors: contributorsByWords(passages.map(counted)) }
    },
    queryFn: async ({ signal }) => {
      const passages = await readPassages(id, Infinity, signal)
      return { passages, contributors: contributorsByWords(await countedInParts(passages)) }
    },
    staleTime: 0,
  })
  return readStateOf(query)
}

const countedAtOnce = 50

/** Counts words in batches, because finding the words of some scripts takes long and would block the page. */
async function countedInParts(passages: readonly RoomPassage[]) {
  const all = []
  for (const [i, passage] of passages.entries()) {
    if (i > 0 && i % countedAtOnce === 0) await new Promise((resolve) => setTimeout(resolve))
    all.push(counted(passage))
  }
  return all
}
