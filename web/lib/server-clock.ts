let aheadMs = 0

/** Stores how far the clock of the server is ahead, by the `date` header of an answer. */
export function storeServerTime(date: string | null): void {
  const time = Date.parse(date ?? '')
  if (!Number.isNaN(time)) aheadMs = time - Date.now()
}

/** The time of the server in milliseconds, about to the second; the time of this device before the first answer. */
export const serverNow = (): number => Date.now() + aheadMs
