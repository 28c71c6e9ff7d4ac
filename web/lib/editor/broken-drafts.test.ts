import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { expect, onTestFinished, test } from 'vitest'
import type { Draft, DraftKey } from './draft.ts'
import { allDraftsOf, draftsOf, forgetDraftsOf, keepDraft } from './drafts.ts'

const owner = 'k7q2m4xp3d'

test('rows of another shape are not read as drafts, and log-out removes them with the drafts [OWN-22 OWN-05]', async () => {
  await forgetDraftsOf(owner)
  const place = 'diary/2025-06-10'
  const rain = { text: 'Rain', base: null }
  await keepDraft([owner, place, 'closed'], rain)
  for (const [index, row] of [null, {}, { text: 42, base: null }].entries())
    await keepDraft([owner, place, `broken-${index}`], row as unknown as Draft)
  await keepDraft([owner, place] as unknown as DraftKey, rain)
  expect(await allDraftsOf(owner)).toEqual([[[owner, place, 'closed'], rain]])
  expect(await draftsOf(owner, place)).toEqual([{ ...rain, tab: 'closed' }])
  const database = await openDB('drafts')
  onTestFinished(() => database.close())
  const countOwn = async () =>
    (await database.getAllKeys('drafts')).filter((key) => Array.isArray(key) && key[0] === owner).length
  expect(await countOwn()).toBe(5)
  await forgetDraftsOf(owner)
  expect(await countOwn()).toBe(0)
})
