import type { DomainEvents } from './domain-events.ts'
import { findArticle, findLastDayBefore } from './features/feed/index.ts'
import { type ListCursors, findPersonTexts } from './features/people/index.ts'
import { findPublicStory } from './features/rooms/index.ts'
import type { Database } from './platform/database/pool.ts'
import type { AnswerCache, ChangeKind } from './platform/http/answers/answer-cache.ts'
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
 * Reads what public pages show of a post, an empty day, a person and a story. An answer is cached for 5 s at most, and
 * dropped when something changes that it may show. A text that does not exist is not cached. Neither are the older texts of
 * a person, because everybody may request any cursor.
 */
export function createCachedTexts({ answers, database, events }: Deps) {
  events.on('introductionsChanged', () => answers.noteChange('introductions'))
  // After the deletion of an account no feed and no page may show the name of the person or link to their page.
  events.on('accountRemoved', () => answers.noteChange('posts', 'stories'))

  /** `shown` are the kinds of changes after which the text is read again. */
  function cached(kind: string, shown: ChangeKind[], find: (id: string) => Promise<object | undefined>) {
    const texts = answers.of(kind)
    return (id: string): CachedTexts => ({
      get: () => texts.get(id, answers.versionOf(shown), async () => answerOf(await find(id))),
      peek: () => texts.peek(id, answers.versionOf(shown)),
    })
  }
  const findTexts = async (id: string, before?: ListCursors) =>
    isPersonId(id) ? findPersonTexts(database, id, before) : undefined

  return {
    post: cached('post', ['posts'], async (id) => (isId(id) ? findArticle(database, id) : undefined)),
    lastDayBefore: cached('last feed day', ['posts'], async (day) => ({
      day: await findLastDayBefore(database, day),
    })),
    person: cached('person', ['posts', 'stories', 'introductions'], (id) => findTexts(id)),
    olderTexts: async (id: string, before: ListCursors) => answerOf(await findTexts(id, before)),
    story: cached('story', ['stories'], async (id) => (isId(id) ? findPublicStory(database, id) : undefined)),
  }
}

const answerOf = (found: object | undefined) => found && { prepared: new Prepared(JSON.stringify(found)) }
