import { PersonId } from '#contract/schemas.ts'
import { findPublicPost } from './features/feed/index.ts'
import { type ListCursors, findPersonTexts } from './features/people/index.ts'
import { findPublicStory } from './features/rooms/index.ts'
import type { Database } from './platform/database/pool.ts'
import type { AnswerCache, Changing } from './platform/http/answers/answer-cache.ts'
import { isId } from './platform/http/answers/paging.ts'
import { Prepared } from './platform/http/answers/prepared.ts'
import type { PersonalData } from './platform/personal-data.ts'
import type { CachedTexts } from './public-pages.ts'

declare module './platform/http/answers/answer-cache.ts' {
  interface CountedChanges {
    introductions: true
  }
}

/**
 * Reads what public pages show of a post, a person and a story. Each answer is cached until something changes that it may
 * show, for 5 s at most. That nothing was found is not cached. Older texts of a person are not cached: everybody may request any cursor.
 */
export function createCachedTexts({ answers, database }: { answers: AnswerCache; database: Database }) {
  /** `shows` names the kinds of change that an answer must follow. */
  function cached(kind: string, shows: Changing[], find: (id: string) => Promise<object | undefined>) {
    const texts = answers.of(kind)
    return (id: string): CachedTexts => ({
      get: () => texts.get(id, answers.versionOf(shows), async () => made(await find(id))),
      peek: () => texts.peek(id, answers.versionOf(shows)),
    })
  }
  const findTexts = async (id: string, before?: ListCursors) =>
    PersonId.safeParse(id).success ? findPersonTexts(database, id, before) : undefined

  return {
    post: cached('post', ['posts'], async (id) => (isId(id) ? findPublicPost(database, id) : undefined)),
    person: cached('person', ['posts', 'stories', 'introductions'], (id) => findTexts(id)),
    olderTexts: async (id: string, before: ListCursors) => made(await findTexts(id, before)),
    story: cached('story', ['stories'], async (id) => (isId(id) ? findPublicStory(database, id) : undefined)),
  }
}

const made = (found: object | undefined) => found && { prepared: new Prepared(JSON.stringify(found)) }

/** The cache is in memory alone. After the deletion of an account no feed and no page in it may show its name or its page. */
export const cachedTextsPersonalData = (answers: AnswerCache): PersonalData => ({
  move: async () => {},
  remove: async (_db, _personId, afterCommit) => afterCommit(() => answers.noteChange('posts', 'stories')),
})
