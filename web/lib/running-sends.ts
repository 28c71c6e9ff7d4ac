/** The running sends, by owner and place. A send continues after its field is closed. */
export const runningSends = new Map<string, Promise<void>>()

const longestMs = 10_000

/** Waits until what is being sent has its answer, at most 10 s. A reload would send it again under another key. */
export async function whenAllSent(): Promise<void> {
  const tooLate = new Promise((resolve) => setTimeout(resolve, longestMs))
  await Promise.race([Promise.allSettled(runningSends.values()), tooLate])
}
