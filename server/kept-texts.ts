import { PersonId } from '#contract/schemas.ts'
import { findPublicPost } from './features/feed/index.ts'
import { type ListCursors, findPersonTexts } from './features/people/index.ts'
import { findPublicStory } from './features/rooms/index.ts'
import type { Clock } from './platform/clock.ts'
import type { Database } from './platform/database/pool.ts'
import { isId } from './platform/http/paging.ts'
import type { PreparedAnswers } from './platform/http/prepared-answers.ts'
import { Prepared } from './platform/http/prepared.ts'
import { SharedAnswers } from './platform/http/shared-answers.ts'
import type { Bus } from './platform/live/bus.ts'
import type { ChangeCounts } from './platform/live/change-counts.ts'
import type { PersonalData } from './platform/personal-data.ts'
import type { KeptTexts } from './public-pages.ts'

/** The kinds of changes that feeds and public pages must show at once. */
export type ShownKind = 'posts' | 'stories' | 'introductions'

interface Deps {
  answers: PreparedAnswers
  bus: Bus
  clock: Clock
  database: Database
  changes: ChangeCounts<ShownKind>
}

/**
 * Reads what public pages show of a post, a person and a story. Each answer is kept until something changes that it may show.
 * Older texts of a person are not kept: everybody may request any cursor.
 */
export function createKeptTexts({ answers, bus, clock, database, changes }: Deps) {
  /** `shows` names the kinds of change that an answer must follow. */
  function kept(kind: string, shows: ShownKind[], find: (id: string) => Promise<object | undefined>) {
    const texts = new SharedAnswers({ answers, bus, kind, clock })
    const keyOf = (id: string) => [...shows.map((each) => changes.of(each)), id].join(' ')
    return (id: string): KeptTexts => ({
      get: () => texts.get(keyOf(id), async () => prepared(await find(id))),
      peek: () => texts.peek(keyOf(id)),
    })
  }
  const findTexts = async (id: string, before?: ListCursors) =>
    PersonId.safeParse(id).success ? findPersonTexts(database, id, before) : undefined

  return {
    post: kept('post', ['posts'], async (id) => (isId(id) ? findPublicPost(database, id) : undefined)),
    person: kept('person', ['posts', 'stories', 'introductions'], (id) => findTexts(id)),
    olderTexts: async (id: string, before: ListCursors) => prepared(await findTexts(id, before)),
    story: kept('story', ['stories'], async (id) => (isId(id) ? findPublicStory(database, id) : undefined)),
  }
}

const prepared = (found: object | undefined) =>
  found && { prepared: new Prepared(JSON.stringify(found)), nextBefore: undefined }

/** Kept feeds and pages are in memory alone. After the deletion of an account none of them may show its name or its page. */
export const keptTextsPersonalData = (changes: ChangeCounts<ShownKind>): PersonalData => ({
  move: async () => {},
  remove: async (_db, _personId, afterCommit) => afterCommit(() => changes.add('posts', 'stories')),
})
