import { daysBetween } from '#contract/days.ts'
import { cut } from '#contract/text.ts'
import type { CountedDay } from './counted-days.ts'

/** Only an entry that is older than this can be a memory. */
export const memoryAgeDays = 30
const recentMax = 10

/**
 * 'Memory Treasure': a random entry that is older than 30 days, null when there is none. It is another entry than `shown`,
 * unless there is no other. `random` is from 0 to below 1.
 */
export function memoryTreasure<D extends Pick<CountedDay, 'day'>>(
  days: readonly D[],
  today: string,
  random: number,
  shown?: string,
): D | null {
  const old = days.filter(({ day }) => daysBetween(day, today) > memoryAgeDays)
  const others = old.filter(({ day }) => day !== shown)
  const choice = others.length > 0 ? others : old
  return choice[Math.floor(random * choice.length)] ?? null
}

/** 'Recent Writing Activity': the latest entries, newest first. */
export const recentActivity = <D extends Pick<CountedDay, 'day'>>(days: readonly D[]): D[] =>
  days.slice(-recentMax).toReversed()

export const memorySnippet = (content: string) => cut(content, 200)
export const recentPreview = (content: string) => cut(content, 100)
