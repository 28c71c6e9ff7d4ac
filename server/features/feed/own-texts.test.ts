import { expect, test } from 'vitest'
import { submitPost } from '#contract/feed/endpoints.ts'
import {
  changePost,
  getOwnPost,
  listOwnTexts,
  listPostVersions,
  takeBackPost,
} from '#contract/feed/own/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { hide, startReview } from '#server/testing/reviewing.ts'
import { inMinutes, schedule } from '#server/testing/scheduling.ts'
import type { Client } from '#server/testing/test-app.ts'

async function change(who: Client, id: string, content: string) {
  const { updatedAt: base } = await who.does(getOwnPost, { params: { id } })
  await who.does(changePost, { params: { id }, input: { content, base } })
}

test('an author reads every own post as a whole, whatever its state, and nothing of others [OWN-06 S1]', async () => {
  const t = await startReview()
  const { ana, boss, db, person, publish } = t
  const ben = await person()
  await publish('By Ben', ben)
  await schedule(ben, 'By Ben, tomorrow', inMinutes(t, 60))
  await ben.does(takeBackPost, { params: { id: await publish('Taken back by Ben', ben) } })

  const long = 'A long line that no list shows to its end. '.repeat(100)
  const published = await publish(`${long}published`)
  await change(ana, published, `${long}and its new version`)
  const input = { content: 'was first', authorName: 'Nightingale', type: 'premium' } as const
  const { id: premium } = await ana.does(submitPost, { input: { ...input, tags: ['night'], form: 'verse' } })
  await change(ana, premium, 'was second')
  await change(ana, premium, 'is third')
  const hidden = await publish('hidden by an admin')
  await boss.does(changePostVisibility, hide(hidden))
  const { id: pending } = await ana.does(submitPost, {
    input: { content: 'waits', authorName: 'Nightingale' },
  })
  const publishAt = inMinutes(t, 60)
  const scheduled = await schedule(ana, 'will appear', publishAt)
  const gone = await publish(`${long}taken back`)
  await ana.does(takeBackPost, { params: { id: gone }, query: { kind: 'unpublished' } })

  const before = await contentOf(db)
  const texts = await ana.does(listOwnTexts)
  expect(await contentOf(db)).toEqual(before)
  const versions = await ana.does(listPostVersions, { params: { id: premium } })
  expect(texts.map(({ id, status, content }) => [id, status, content])).toEqual([
    [gone, 'unpublished', `${long}taken back`],
    [scheduled, 'scheduled', 'will appear'],
    [pending, 'pending', 'waits'],
    [hidden, 'published', 'hidden by an admin'],
    [premium, 'published', 'is third'],
    [published, 'published', `${long}published`],
  ])
  const [takenBack, later, , unseen, verse, first] = texts
  expect(takenBack).toMatchObject({
    takenBackAt: expect.stringMatching(/Z$/),
    publishedAt: expect.any(String),
  })
  expect(later).toMatchObject({ publishAt, publishedAt: null })
  expect(unseen!.isVisible).toBe(false)
  expect(verse).toMatchObject({ tags: ['night'], form: 'verse', postType: 'premium', waitingVersion: null })
  expect(verse!.versionIds).toEqual(versions.map(({ id }) => id).toReversed())
  expect(first!.waitingVersion).toMatchObject({ content: `${long}and its new version`, tags: [] })
})

test('the cursors lead through all own posts once, by count and by bytes [OWN-06 S30]', async () => {
  const t = await startReview()
  const { ana } = t
  const ids: string[] = []
  for (let n = 0; n < 5; n++) {
    ids.unshift(await schedule(ana, `${n} ${'🌒'.repeat(49_000)}`, inMinutes(t, 60 - n)))
    ids.unshift(await t.submit(`Waits ${n}`))
  }
  for (const limit of ['3', '200']) {
    const found: string[] = []
    let before: string | undefined
    do {
      const answer = await ana.tries(listOwnTexts, { query: { limit, ...(before && { before }) } })
      found.push(...(answer.body as { id: string }[]).map(({ id }) => id))
      before = answer.headers['next-before'] as string | undefined
    } while (before !== undefined)
    expect(found).toEqual(ids)
  }
})
