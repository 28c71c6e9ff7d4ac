import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { expect, onTestFinished, test, vi } from 'vitest'
import { giveBuckets } from '#web/lib/testing.ts'

const [ana, ben] = ['k7q2m4xp3d', 'b7q2m4xp3d']
const place = 'diary/2025-06-10'
const rain = { text: 'Rain', base: null }
const own = (owner: string) => [owner, place, 'closed'] as [string, string, string]

/** A page that has not opened a database yet, in a browser with buckets. */
async function withBuckets(refused: string[] = []) {
  const buckets = giveBuckets(refused)
  vi.resetModules()
  return { buckets, ...(await import('./drafts.ts')) }
}

test('each person has a bucket of drafts, and the drafts of others stay when it is removed [OWN-05 OWN-21]', async () => {
  const { buckets, keepDraft, hasDrafts, forgetDraftsOf } = await withBuckets()
  for (const owner of [ana, ben]) await keepDraft(own(owner), rain)
  expect([...buckets.keys()]).toEqual([`drafts-${ana}`, `drafts-${ben}`])
  await forgetDraftsOf(ana)
  expect([...buckets.keys()]).toEqual([`drafts-${ben}`])
  expect(await hasDrafts(ben)).toBe(true)
  expect(await hasDrafts(ana)).toBe(false)
  await keepDraft(own(ana), rain)
  expect(await buckets.get(`drafts-${ana}`)!.indexedDB.databases()).toHaveLength(1)
})

test('a draft of an older program is read, replaced when it is sent, and removed with the person [OWN-03 OWN-22]', async () => {
  const site = await openDB('drafts', 1, { upgrade: (created) => void created.createObjectStore('drafts') })
  onTestFinished(() => site.close())
  // Drafts of other tests may be there.
  await site.clear('drafts')
  for (const owner of [ana, ben]) await site.put('drafts', rain, own(owner))
  const { keepDraft, draftsOf, replaceDraft, forgetDrafts, forgetDraftsOf } = await withBuckets()
  const later = [ana, place, 'later'] as [string, string, string]
  await keepDraft(later, { text: 'Wind', base: null })
  const texts = async () => (await draftsOf(ana, place)).map(({ text }) => text).toSorted()
  expect(await texts()).toEqual(['Rain', 'Wind'])
  expect(await replaceDraft(own(ana), { ...rain, text: 'Snow' }, undefined)).toBe(false)
  const sent = { ...rain, waiting: { since: '2025-06-10T09:00:00.000Z' } }
  expect(await replaceDraft(own(ana), rain, sent)).toBe(true)
  expect(await site.getAll('drafts')).toEqual([rain, sent])
  await forgetDrafts([own(ana), later])
  expect(await texts()).toEqual([])
  await site.put('drafts', rain, own(ana))
  await forgetDraftsOf(ana)
  expect(await site.getAllKeys('drafts')).toEqual([own(ben)])
})

test('a browser that refuses a bucket keeps the drafts in the storage of the site [R22]', async () => {
  const { buckets, keepDraft, draftsOf, forgetDraftsOf } = await withBuckets([ana])
  await keepDraft(own(ana), rain)
  expect(buckets.size).toBe(0)
  expect(await draftsOf(ana, place)).toEqual([{ ...rain, tab: 'closed' }])
  await forgetDraftsOf(ana)
  expect(await draftsOf(ana, place)).toEqual([])
})
