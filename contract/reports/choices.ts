import { daysBetween } from '#contract/days.ts'
import { cut } from '#contract/text.ts'
import type { CountedDay } from './counted-days.ts'

const memoryAge = 30
const recentMax = 10

/**
 * 'Memory Treasure': one of the entries older than 30 days, by a random number from 0 to below 1;
 * after a refresh another than the one shown, where there is another. Null without old entries.
 */
export function memoryTreasure<D extends Pick<CountedDay, 'day'>>(
  days: readonly D[],
  today: string,
  random: number,
  shown?: string,
): D | null {
  const old = days.filter(({ day }) => daysBetween(day, today) > memoryAge)
  const others = old.filter(({ day }) => day !== shown)
  const choice = others.length > 0 ? others : old
  return choice[Math.floor(random * choice.length)] ?? null
}

/** 'Recent Writing Activity': the latest entries, newest first. */
export const recentActivity = <D extends Pick<CountedDay, 'day'>>(days: readonly D[]): D[] =>
  days.slice(-recentMax).toReversed()

export const memorySnippet = (content: string) => cut(content, 200)
export const recentPreview = (content: string) => cut(content, 100)
