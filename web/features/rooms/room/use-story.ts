import { useQuery } from '@tanstack/react-query'
import { listPassages } from '#contract/rooms/endpoints.ts'
import type { RoomPassage } from '#contract/rooms/room.ts'
import { type Contributor, contributorsByWords, counted } from '#contract/rooms/story.ts'
import { keyOf, type Loaded, loadedOf } from '#web/lib/api.ts'
import { sendForPage } from '#web/lib/request.ts'

export interface FinishedStory {
  passages: RoomPassage[]
  contributors: Contributor[]
}

/** All of a story that nobody can change any more. */
export function useStory(id: string): Loaded<FinishedStory> {
  const query = useQuery({
    queryKey: [...keyOf(listPassages, { params: { id } }), 'whole'],
    queryFn: async ({ signal }) => {
      const passages = await readPassages(id, signal)
      return { passages, contributors: contributorsByWords(await countedInParts(passages)) }
    },
    staleTime: 0,
  })
  return loadedOf(query)
}

/** From the first passage on; the pages come from the last one on. */
async function readPassages(id: string, signal: AbortSignal): Promise<RoomPassage[]> {
  const passages: RoomPassage[] = []
  let before: string | null = null
  do {
    const query: { before?: string } = before === null ? {} : { before }
    const page: { items: RoomPassage[]; nextBefore: string | null } = await sendForPage(listPassages, {
      params: { id },
      query,
      signal,
    })
    passages.unshift(...page.items)
    before = page.nextBefore
  } while (before !== null)
  return passages
}

const countedAtOnce = 50

/** Lets the page breathe in between: words of some scripts take long to find. */
async function countedInParts(passages: readonly RoomPassage[]) {
  const all = []
  for (const [i, passage] of passages.entries()) {
    if (i > 0 && i % countedAtOnce === 0) await new Promise((resolve) => setTimeout(resolve))
    all.push(counted(passage))
  }
  return all
}
