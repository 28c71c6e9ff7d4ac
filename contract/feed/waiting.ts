const dayMs = 86_400_000

/** How long the review of a post takes at most, as the product promises. */
export const promisedDays = 7
/** A post of which less time than this is left should be reviewed soon. */
export const soonDays = 2

type WaitingState = 'fresh' | 'soon' | 'overdue'

/** How long a post has waited for its review, and whether the promised week is ending or over. */
export function waitingOf(createdAt: string, now: number): { ms: number; state: WaitingState } {
  const ms = Math.max(0, now - Date.parse(createdAt))
  if (ms >= promisedDays * dayMs) return { ms, state: 'overdue' }
  return { ms, state: ms >= (promisedDays - soonDays) * dayMs ? 'soon' : 'fresh' }
}
