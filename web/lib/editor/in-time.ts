/** Rejects with a failure when the work takes longer. The work goes on. */
export async function inTime<Result>(
  work: Promise<Result>,
  longestMs: number,
  failure: () => Error,
): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(failure()), longestMs)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
