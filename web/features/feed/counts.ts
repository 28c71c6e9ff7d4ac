/** 1000 stays 1000, 1200 is 1.2K and 2500000 is 2.5M. Up to a million the unit is K: 999999 is 1000K. */
export function shortCount(count: number): string {
  if (count > 1_000_000) return `${Math.round(count / 100_000) / 10}M`
  if (count > 1000) return `${Math.round(count / 100) / 10}K`
  return String(count)
}
