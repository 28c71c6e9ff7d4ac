import { expect, test } from 'vitest'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { diaryTexts } from '#server/features/diary/index.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { readDayTexts } from './day-texts.ts'
import { noCipher } from './text-cipher.ts'
import { Vault } from './vault.ts'

test('a writer reads a diary of long days whole and in order, and the server reads a megabyte at a time', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  const days = Array.from({ length: 9 }, (_, n) => `2025-06-0${n + 1}`)
  for (const [n, date] of days.entries()) {
    // Four bytes a character in UTF-8.
    const content = n === 4 ? 'short' : '🌒'.repeat(100_000)
    await ana.does(saveDiaryEntry, { input: { date, content } })
  }
  const whose = { texts: diaryTexts, vault: new Vault(noCipher), userId: ana.me.id }
  const { batches } = await readDayTexts(db, whose, { limit: 5000 })
  const read = []
  for await (const batch of batches) read.push(batch)
  expect(read.flat().map(({ day }) => day)).toEqual(days)
  for (const batch of read) {
    const sizes = batch.map(({ content }) => Buffer.byteLength(content))
    expect(sizes.slice(0, -1).reduce((sum, size) => sum + size, 0)).toBeLessThan(2 ** 20)
  }
})
