const pausesMs = [1000, 3000]

/** Fetches a part of the page again, twice and after a pause, before its failure counts: a server may be busy. */
export const withRetries =
  <T>(load: () => Promise<T>) =>
  async (): Promise<T> => {
    for (const ms of pausesMs) {
      try {
        return await load()
      } catch {
        await new Promise((resolve) => setTimeout(resolve, ms))
      }
    }
    return load()
  }
