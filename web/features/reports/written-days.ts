import * as fc from 'fast-check'
import { addDays } from '#contract/days.ts'
import type { CountedDay } from './counted-days.ts'

/** Days with a hundred words each. */
export const writtenDays = (...days: string[]): CountedDay[] =>
  days.map((day) => ({ day, updatedAt: null, words: 100 }))

export const rowOfDays = (from: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => addDays(from, index))

/** Some of the days between August 2023 and April 2025. */
export const someDays = fc
  .uniqueArray(fc.record({ offset: fc.integer({ min: -500, max: 100 }), words: fc.nat(2000) }), {
    selector: ({ offset }) => offset,
    maxLength: 200,
  })
  .map((days) =>
    days
      .toSorted((one, other) => one.offset - other.offset)
      .map(({ offset, words }) => ({ day: addDays('2025-01-01', offset), updatedAt: null, words })),
  )

export const aDay = fc.integer({ min: -60, max: 120 }).map((offset) => addDays('2025-01-01', offset))
