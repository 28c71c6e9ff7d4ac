export const suspensionReasonMax = 1000

/** Says why a suspension cannot end at this time. */
export function suspensionEndError(until: Date, now: Date): string | undefined {
  const latest = new Date(now)
  latest.setUTCFullYear(now.getUTCFullYear() + 10)
  if (!(until > now)) return 'Please choose a time that is still to come.'
  return until <= latest ? undefined : 'Please choose a time within ten years, or suspend for good.'
}
