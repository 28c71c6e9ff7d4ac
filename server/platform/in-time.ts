/** Waits for some work, and fails with this error when it takes longer. The work itself goes on. */
export async function inTime<Result>(work: Promise<Result>, ms: number, late: () => Error): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    // When this process was busy, an answer may have arrived already. It is read before `setImmediate` calls back.
    setImmediate(() => reject(late()))
  }, ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
