const graceMs = 2000

/** Waits for some work. After the signal the work has a moment to end by itself; then this rejects, and the work goes on alone. */
export async function cutShort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  const cut = new Promise<never>((_, reject) => {
    const end = () => setTimeout(() => reject(signal.reason as Error), graceMs)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end)
  })
  return Promise.race([work, cut])
}
