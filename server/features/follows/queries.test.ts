import type { SQL } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { approvePost, submitPost } from '#contract/feed/endpoints.ts'
import { followPerson } from '#contract/follows/endpoints.ts'
import { blockPerson } from '#contract/friends/endpoints.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { listFollowedPosts } from './queries.ts'

test('a person who is blocked while a page of posts is read is not in it [LOOP-18 PPL-05]', async () => {
  const { db, person, admin } = await startTestApp({ config: { limitsRates: false } })
  const [ana, ben, reader, boss] = [
    await person({ firstName: 'Ana' }),
    await person({ firstName: 'Ben' }),
    await person(),
    await admin(),
  ]
  for (const who of [ana, ben]) {
    const input = { content: `Of ${who.me.firstName}`, authorName: `${who.me.firstName} Test` }
    const { id } = await who.does(submitPost, { input })
    await boss.does(approvePost, { params: { id } })
    await reader.does(followPerson, { params: { personId: who.me.id } })
  }
  const blocking = Object.create(db, {
    execute: {
      value: async (query: SQL) => {
        const answer = await db.execute(query)
        await ana.does(blockPerson, { input: { userId: reader.me.id } })
        return answer
      },
    },
  })
  const { posts } = await listFollowedPosts(blocking, reader.me.id, { limit: 10, before: undefined })
  expect(posts.map(({ content }) => content)).toEqual(['Of Ben'])
})
