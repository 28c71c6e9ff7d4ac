import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { shortCount } from './counts.ts'

test.each([
  [0, '0'],
  [7, '7'],
  [999, '999'],
  [1000, '1000'],
  [1001, '1K'],
  [1100, '1.1K'],
  [50_000, '50K'],
  [999_949, '999.9K'],
  [999_950, '1000K'],
  [1_000_000, '1000K'],
])('a count of %i is shown as %s, with K above 1000 [FEED-37]', (count, shown) => {
  expect(shortCount(count)).toBe(shown)
})

test.each([
  [1_000_001, '1M'],
  [1_100_000, '1.1M'],
  [12_345_678, '12.3M'],
  [250_000_000, '250M'],
])('a count of %i is shown as %s, with M above a million [FEED-38]', (count, shown) => {
  expect(shortCount(count)).toBe(shown)
})

test.each([
  [1000, '1000'],
  [1150, '1.2K'],
  [1200, '1.2K'],
  [2000, '2K'],
  [2049, '2K'],
  [2_000_000, '2M'],
  [2_500_000, '2.5M'],
])('a count of %i is shown as %s: one decimal without a trailing zero [FEED-39]', (count, shown) => {
  expect(shortCount(count)).toBe(shown)
})

test('a shown count differs from the exact count by at most half of its last decimal [FEED-37 FEED-38 FEED-39]', () => {
  fc.assert(
    fc.property(fc.nat(2_000_000_000), (count) => {
      const shown = shortCount(count)
      expect(shown).toMatch(/^\d+(\.[1-9])?[KM]?$/)
      const unit = shown.endsWith('M') ? 1_000_000 : shown.endsWith('K') ? 1000 : 1
      expect(unit).toBe(count > 1_000_000 ? 1_000_000 : count > 1000 ? 1000 : 1)
      expect(Math.abs(parseFloat(shown) * unit - count)).toBeLessThanOrEqual(unit / 20 + 1e-6)
    }),
  )
})
