import type { DomainEvents } from './domain-events.ts'
import { findPublicPost } from './features/feed/index.ts'
import { type ListCursors, findPersonTexts } from './features/people/index.ts'
import { findPublicStory } from './features/rooms/index.ts'
import type { Database } from './platform/database/pool.ts'
import type { AnswerCache, Changing } from './platform/http/answers/answer-cache.ts'
import { isId, isPersonId } from './platform/http/answers/paging.ts'
import { Prepared } from './platform/http/answers/prepared.ts'
import type { CachedTexts } from './public-pages.ts'

declare module './platform/http/answers/answer-cache.ts' {
  interface CountedChanges {
    introductions: true
  }
}

interface Deps {
  answers: AnswerCache
  database: Database
  events: DomainEvents
}

/**
 * Reads what public pages show of a post, a person and a story. Each answer is cached until something changes that it may
 * show, for 5 s at most. That nothing was found is not cached. Older texts of a person are not cached: everybody may request any cursor.
 */
export function createCachedTexts({ answers, database, events }: Deps) {
  events.on('introductionsChanged', () => answers.noteChange('introductions'))
  // No feed and no page may show the name or the page of a deleted account.
  events.on('accountRemoved', () => answers.noteChange('posts', 'stories'))

  /** `shows` names the kinds of change that an answer must follow. */
  function cached(kind: string, shows: Changing[], find: (id: string) => Promise<object | undefined>) {
    const texts = answers.of(kind)
    return (id: string): CachedTexts => ({
      get: () => texts.get(id, answers.versionOf(shows), async () => made(await find(id))),
      peek: () => texts.peek(id, answers.versionOf(shows)),
    })
  }
  const findTexts = async (id: string, before?: ListCursors) =>
    isPersonId(id) ? findPersonTexts(database, id, before) : undefined

  return {
    post: cached('post', ['posts'], async (id) => (isId(id) ? findPublicPost(database, id) : undefined)),
    person: cached('person', ['posts', 'stories', 'introductions'], (id) => findTexts(id)),
    olderTexts: async (id: string, before: ListCursors) => made(await findTexts(id, before)),
    story: cached('story', ['stories'], async (id) => (isId(id) ? findPublicStory(database, id) : undefined)),
  }
}

const made = (found: object | undefined) => found && { prepared: new Prepared(JSON.stringify(found)) }
