import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTestApp } from '#server/testing/test-app.ts'
import { trigramsOf } from './trigrams.ts'

/** Locales whose lower case differs, of all providers. Each database has some of them. */
const locales = ['C', 'pg_c_utf8', 'pg_unicode_fast', 'und', 'tr', 'az', 'lt', 'el', 'de'].flatMap((name) => [
  name,
  `${name}-x-icu`,
])
const unusual = [
  'I',
  'i',
  'İ',
  'ı',
  'Ì',
  'í',
  'Ĩ',
  'Į',
  'J',
  '\u0307',
  '\u0300',
  'Σ',
  'σ',
  'ς',
  'ß',
  'ẞ',
  'ſ',
  'S',
]
const others = [
  '\u212a',
  'K',
  'Å',
  'å',
  'é',
  'e\u0301',
  'क',
  'ि',
  '한',
  '글',
  '夜',
  '🌙',
  '\u{10400}',
  ' ',
  "'",
  'a',
  'b',
  '1',
]
const aText = fc
  .array(fc.constantFrom(...unusual, ...others), { minLength: 3, maxLength: 30 })
  .map((parts) => parts.join(''))

test('a text has all trigrams of each of its parts, whatever lower case a locale gives to text and part [API-38]', async () => {
  const { db } = await startTestApp()
  const { rows: known } = await db.execute<{ name: string }>(sql`
    select distinct collname as name from pg_collation
    where collname = any(${sql.param(locales)}::text[]) and collencoding in (-1, pg_char_to_encoding('UTF8'))`)
  expect(known.length).toBeGreaterThan(1)
  const texts = fc.sample(aText, { numRuns: 500, seed: 7 })
  for (const { name } of known) {
    const { rows } = await db.execute<{ text: string; lower: string }>(sql`
      select text, lower(text collate ${sql.identifier(name)}) as lower from unnest(${sql.param(texts)}::text[]) text`)
    for (const { text, lower } of rows) {
      const ofText = new Set(trigramsOf(text))
      for (let from = 0; from < lower.length; from += 3) {
        const part = lower.slice(from, from + 7).toWellFormed()
        const missing = trigramsOf(part).filter((trigram) => !ofText.has(trigram))
        expect([name, text, part, missing]).toEqual([name, text, part, []])
      }
    }
  }
})

test('a letter and its lower case have the same trigrams, in each locale of the database [API-38]', async () => {
  const { db } = await startTestApp()
  const { rows } = await db.execute<{ upper: string; lower: string }>(sql`
    select chr(n) as upper, lower(chr(n)) as lower from generate_series(1, 1114111) n
    where n not between 55296 and 57343 and lower(chr(n)) <> chr(n)`)
  expect(rows.length).toBeGreaterThan(1000)
  const around = (letter: string) => trigramsOf(`ab${letter}cd`)
  expect(rows.filter(({ upper, lower }) => around(upper).join() !== around(lower).join())).toEqual([])
})

test('a text in any script has trigrams, and spaces and signs separate words [API-38]', () => {
  for (const word of [
    'lantern',
    'ФОНАРЬ',
    'φανάρι',
    '灯笼的',
    'ランタン',
    '랜턴의',
    'فانوس',
    'लालटेन',
    '12345',
  ])
    expect([word, trigramsOf(word).length]).toEqual([
      word,
      Array.from(word.replaceAll(/\p{M}/gu, '')).length - 2,
    ])
  expect(trigramsOf('ab cd, ef-gh\nij 🌙kl')).toEqual([])
  expect(trigramsOf('Lantern lantern')).toEqual(trigramsOf('LANTERN'))
})

test('few words share a number [API-38]', () => {
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz')
  const words = letters.flatMap((one) => letters.flatMap((two) => letters.map((three) => one + two + three)))
  expect(new Set(words.flatMap(trigramsOf)).size).toBeGreaterThan(words.length * 0.85)
})
