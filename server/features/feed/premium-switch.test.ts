import { expect, test, vi } from 'vitest'
import { getConfig } from '#contract/app/endpoints.ts'
import { listAuditEntries } from '#contract/admin/endpoints.ts'
import { createPost, submitPost } from '#contract/feed/endpoints.ts'
import { changePost, getOwnPost } from '#contract/feed/own/endpoints.ts'
import {
  changePublishTime,
  listScheduledPosts,
  publishScheduledPost,
  unschedulePost,
} from '#contract/feed/scheduled/endpoints.ts'
import { changeInstanceSettings } from '#contract/instance/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { posts } from './schema.ts'

const tomorrow = '2025-06-11T12:00:00.000Z'
const premium = { content: 'A poem', authorName: 'Ana', type: 'premium' } as const

/** A person, and an admin who switches premium publishing off and on. */
async function start() {
  const t = await startTestApp()
  const [ana, boss] = [await t.person(), await t.admin()]
  let base: string | null = null
  return {
    ...t,
    ana,
    boss,
    async switchPremium(isOn: boolean) {
      const input = { base, premium: isOn }
      const saved: { updatedAt: string | null } = await boss.does(changeInstanceSettings, { input })
      base = saved.updatedAt
      await vi.waitFor(async () =>
        expect(await boss.does(getConfig)).toMatchObject({ publishesPremium: isOn }),
      )
    },
  }
}
const off = { status: 400, code: 'PremiumOff' }

test('where premium publishing is switched off, a premium post is refused and changes nothing, until it is on again [INST-14]', async () => {
  const { ana, boss, visitor, guest, switchPremium, db } = await start()
  await switchPremium(false)
  const people = [ana, boss, visitor(), await guest()]
  const before = await contentOf(db)
  for (const person of people) expect(await person.tries(submitPost, { input: premium })).toMatchObject(off)
  const later = { ...premium, publishAt: tomorrow }
  expect(await ana.tries(submitPost, { input: later })).toMatchObject(off)
  expect(await contentOf(db)).toEqual(before)
  const { type: _, ...standard } = premium
  expect(await ana.does(submitPost, { input: standard })).toMatchObject({ status: 'pending' })
  // An article of an admin is no premium post.
  expect(await boss.does(createPost, { input: { ...standard, publishAt: tomorrow } })).toBeTruthy()
  const [entry] = await boss.does(listAuditEntries, { query: { action: 'instance-changed' } })
  expect(entry!.details).toEqual({ changed: 'Premium publishing off' })

  await switchPremium(true)
  expect(await ana.does(submitPost, { input: { ...premium, content: 'Again' } })).toMatchObject({
    status: 'published',
  })
})

test('a premium post that was scheduled before waits for review at its time, and its author can only make it a draft [INST-14]', async () => {
  const { ana, switchPremium, db, clock } = await start()
  const schedule = async (content: string) =>
    (await ana.does(submitPost, { input: { ...premium, content, publishAt: tomorrow } })).id
  const [id, other] = [await schedule('One'), await schedule('Two')]
  await switchPremium(false)
  const before = await contentOf(db)
  const input = { publishAt: '2025-06-12T12:00:00.000Z' }
  expect(await ana.tries(changePublishTime, { params: { id }, input })).toMatchObject(off)
  expect(await ana.tries(publishScheduledPost, { params: { id } })).toMatchObject(off)
  expect(await contentOf(db)).toEqual(before)
  await ana.does(unschedulePost, { params: { id: other } })
  expect(await ana.does(listScheduledPosts)).toHaveLength(1)

  clock.advance(24 * 3600_000)
  await vi.waitFor(async () => expect(await db.$count(posts)).toBe(1), { timeout: 20_000, interval: 50 })
  expect(await ana.does(getOwnPost, { params: { id } })).toMatchObject({ status: 'pending' })
})

test('a change of a premium post waits for review while premium publishing is off [INST-14]', async () => {
  const { ana, switchPremium } = await start()
  const { id } = await ana.does(submitPost, { input: premium })
  await switchPremium(false)
  const { updatedAt: base } = await ana.does(getOwnPost, { params: { id } })
  await ana.does(changePost, { params: { id }, input: { content: 'A longer poem', base } })
  expect(await ana.does(getOwnPost, { params: { id } })).toMatchObject({ hasWaitingVersion: true })
})
