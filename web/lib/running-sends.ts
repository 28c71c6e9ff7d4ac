/** The running sends, by owner and place. A send continues after its field is closed. */
export const runningSends = new Map<string, Promise<void>>()

const longestMs = 10_000

/** Waits until what is being sent has its answer. A reload would repeat it under another key. */
export async function whenAllSent(): Promise<void> {
  const tooLate = new Promise((resolve) => setTimeout(resolve, longestMs))
  await Promise.race([Promise.allSettled(runningSends.values()), tooLate])
}
