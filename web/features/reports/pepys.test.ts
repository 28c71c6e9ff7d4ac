/// <reference types="node" />
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { countWords, isBlank } from '#contract/text.ts'
import { wordsOf } from '#contract/text-words.ts'
import { memoryTreasure, recentActivity } from './choices.ts'
import { countDays } from './counted-days.ts'
import { writingReport } from './report.ts'

const diaryFile = join(import.meta.dirname, '../../../../shared/data/pepys.jsonl')
const hasDiary = existsSync(diaryFile)
if (!hasDiary) console.log('Skipped: the diary of Samuel Pepys is not on this machine.')

const today = '2025-06-10'
const dayMs = 86_400_000

const readDiary = () =>
  readFileSync(diaryFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { date: string; content: string })
    .map(({ date, content }) => ({ entry_date: date, content, updated_at: `${date}T22:00:00.000Z` }))

test.skipIf(!hasDiary)('the diary of Samuel Pepys has 1,175,459 words between white space [COMP-21]', () => {
  expect(readDiary().reduce((total, { content }) => total + countWords(content), 0)).toBe(1_175_459)
})

test.skipIf(!hasDiary)('the report of that diary has its known figures [REP-02 REP-03 REP-16]', () => {
  const report = writingReport(countDays(readDiary().toReversed()), today, 1)
  expect(report).toMatchObject({
    entries: 3410,
    longestRun: { from: '2020-12-17', to: '2024-04-20', days: 1221 },
  })
})

// Computes the figures in another way: with day numbers and plain loops.
test.skipIf(!hasDiary)(
  'the other figures of that diary are the same when they are computed in another way [REP-02 REP-06 REP-12 REP-14 REP-16]',
  () => {
    const entries = readDiary()
    const counted = countDays(entries)
    const report = writingReport(counted, today, 1)
    const numberOf = (day: string) => Date.parse(day) / dayMs
    const now = numberOf(today)
    const wordsByNumber = new Map<number, number>()
    for (const { entry_date, content } of entries)
      if (!isBlank(content)) wordsByNumber.set(numberOf(entry_date), wordsOf(content).length)

    let [streak, inWindow, wordsInYear] = [0, 0, 0]
    while (streak < 30 && wordsByNumber.has(now - streak)) streak++
    for (let back = 0; back < 30; back++) if (wordsByNumber.has(now - back)) inWindow++
    for (let number = numberOf('2024-06-10'); number <= now; number++)
      wordsInYear += wordsByNumber.get(number) ?? 0
    expect(report.currentStreak).toBe(streak)
    expect(report.frequencyPercent).toBe(Math.round((inWindow / 30) * 100))
    expect(report.weeks.reduce((total, { words }) => total + words, 0)).toBe(wordsInYear)

    const weekWords = new Map<number, number>()
    for (const [number, words] of wordsByNumber) {
      // Day number 0 was a Thursday.
      const week = Math.floor((number + 3) / 7)
      weekWords.set(week, (weekWords.get(week) ?? 0) + words)
    }
    expect(report.weeks.map(({ words }) => words)).toEqual(
      report.weeks.map(({ start }) => weekWords.get((numberOf(start) + 3) / 7) ?? 0),
    )

    const all = [...wordsByNumber.values()].reduce((total, words) => total + words, 0)
    expect(report.words).toBe(all)
    expect(recentActivity(counted).map(({ day }) => numberOf(day))).toEqual(
      [...wordsByNumber.keys()].toSorted((one, other) => other - one).slice(0, 10),
    )
    const old = [...wordsByNumber.keys()].filter((number) => now - number > 30)
    for (const place of [0, 1, 1700, old.length - 1])
      expect(numberOf(memoryTreasure(counted, today, (place + 0.5) / old.length)?.day ?? '')).toBe(old[place])
  },
)

test.skipIf(!hasDiary)(
  'the words of that diary are those between white space and dashes, and their number differs by less than 1 in 1000 [REP-02]',
  () => {
    const entries = readDiary()
    const total = entries.reduce((sum, { content }) => sum + wordsOf(content).length, 0)
    expect(Math.abs(total - 1_175_459)).toBeLessThan(1175)
    for (const { content } of entries) {
      const pieces = content
        .split(/[\s—–…]+|--+/)
        .filter((piece) => /[\p{L}\p{N}]/u.test(piece))
        .flatMap((piece) => wordsOf(piece))
      expect(wordsOf(content)).toEqual(pieces)
    }
  },
)

test.skipIf(!hasDiary)('the days of a diary that has not changed are not counted again [REP-02]', () => {
  const entries = readDiary()
  const counted = countDays(entries)
  expect(countDays(entries, counted).every((day, index) => day === counted[index])).toBe(true)
})
