import { afterEach, beforeEach, expect, test } from 'vitest'
import { anEntry } from '#web/testing/diary.ts'
import { localForm } from './local-diary.ts'
import { forgetPageDiaries, pageDiary } from './page-diary.ts'

const early = '2025-06-10T08:00:00.000Z'
const late = '2025-06-10T09:00:00.000Z'
const entry = (text: string, at = early) => localForm(anEntry('2025-06-10', text, at))

let otherTab: BroadcastChannel
beforeEach(() => {
  otherTab = new BroadcastChannel('diary-days')
})
afterEach(() => {
  otherTab.close()
  forgetPageDiaries()
})
const arrived = () => new Promise((resolve) => otherTab.addEventListener('message', resolve, { once: true }))

test('a day that a person saves is shown in all tabs, and is in no storage of the browser [DIARY-31 OWN-21]', async () => {
  const diary = pageDiary('ana')
  const before = diary.version()
  const told = arrived()
  diary.write('2025-06-10', entry('Rain'))
  expect(((await told) as MessageEvent).data).toEqual({ owner: 'ana', entry: entry('Rain') })
  expect(diary.all()).toEqual([entry('Rain')])
  expect(diary.version()).not.toBe(before)
  expect(pageDiary('ben').all()).toEqual([])
  expect(localStorage).toHaveLength(0)
})

test('a page takes what another tab has saved later, and neither an older text nor one in the place of an unsaved text [DIARY-31 DIARY-14]', async () => {
  const diary = pageDiary('ana')
  const tell = async (text: string, at: string) => {
    const version = diary.version()
    otherTab.postMessage({ owner: 'ana', entry: entry(text, at) })
    // A second channel of this page gets the message after the first one.
    const last = new BroadcastChannel('diary-days')
    otherTab.postMessage({ owner: 'last', entry: entry(text) })
    await new Promise((resolve) => last.addEventListener('message', resolve, { once: true }))
    last.close()
    return diary.version() !== version
  }
  expect(await tell('Later there', late)).toBe(true)
  expect(diary.read('2025-06-10')).toEqual(entry('Later there', late))
  expect(await tell('Older there', early)).toBe(false)
  diary.write('2025-06-10', { ...entry('Unsaved here'), saved: false, updated_at: null })
  expect(await tell('Saved there', late)).toBe(false)
  expect(diary.read('2025-06-10')?.content).toBe('Unsaved here')
  diary.remove('2025-06-10')
  expect(await tell('Saved there', late)).toBe(true)
})
