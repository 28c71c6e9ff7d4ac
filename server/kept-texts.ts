import { PersonId } from '#contract/schemas.ts'
import { findPublicPost } from './features/feed/index.ts'
import { findPersonTexts } from './features/people/index.ts'
import { findPublicStory } from './features/rooms/index.ts'
import type { Clock } from './platform/clock.ts'
import type { Database } from './platform/database/pool.ts'
import { isId } from './platform/http/paging.ts'
import type { PreparedAnswers } from './platform/http/prepared-answers.ts'
import { Prepared } from './platform/http/prepared.ts'
import { SharedAnswers } from './platform/http/shared-answers.ts'
import type { Bus } from './platform/live/bus.ts'
import type { ChangeCounts } from './platform/live/change-counts.ts'
import type { KeptTexts } from './public-pages.ts'

interface Deps {
  answers: PreparedAnswers
  bus: Bus
  clock: Clock
  database: Database
  changes: ChangeCounts<'posts' | 'stories' | 'introductions'>
}

/** What public pages show of a post, a person and a story, each kept until something changes that it may show. */
export function createKeptTexts({ answers, bus, clock, database, changes }: Deps) {
  /** `countChanges` gives another text after every change. */
  function kept(kind: string, countChanges: () => string, find: (id: string) => Promise<object | undefined>) {
    const texts = new SharedAnswers({ answers, bus, kind, clock })
    const keyOf = (id: string) => `${countChanges()} ${id}`
    return (id: string): KeptTexts => ({
      get: () =>
        texts.get(keyOf(id), async () => {
          const found = await find(id)
          return found && { prepared: new Prepared(JSON.stringify(found)), nextBefore: undefined }
        }),
      peek: () => texts.peek(keyOf(id)),
    })
  }
  const posts = () => String(changes.of('posts'))
  const stories = () => String(changes.of('stories'))
  return {
    post: kept('post', posts, async (id) => (isId(id) ? findPublicPost(database, id) : undefined)),
    person: kept(
      'person',
      () => `${posts()} ${stories()} ${changes.of('introductions')}`,
      async (id) => (PersonId.safeParse(id).success ? findPersonTexts(database, id) : undefined),
    ),
    story: kept('story', stories, async (id) => (isId(id) ? findPublicStory(database, id) : undefined)),
  }
}
