/** How many posts of one person wait for their time. */
export const scheduledPostsMax = 100
const leastAheadMs = 60_000

/** Says why a post cannot be scheduled for this time. */
export function publishTimeError(publishAt: Date, now: Date): string | undefined {
  const latest = new Date(now)
  latest.setUTCFullYear(now.getUTCFullYear() + 1)
  const isSoonEnough = publishAt <= latest
  const isLateEnough = publishAt.getTime() - now.getTime() >= leastAheadMs
  if (!isLateEnough) return 'Please choose a time that is at least a minute ahead.'
  return isSoonEnough ? undefined : 'Please choose a time within a year.'
}
