interface Drafted {
  readonly place: string
  draftWritten: () => Promise<void>
}

/** The texts of this tab whose latest change is not in a draft: it is being written, or could not be written. */
export const unwritten = new Set<Drafted>()

/**
 * Waits until the typed texts of this tab are in their drafts: all of them, or those of one place. Returns false when a draft of any
 * place could not be written. Otherwise the page may be loaded again.
 */
export async function whenDraftsWritten(place?: string): Promise<boolean> {
  const waited = [...unwritten].filter((text) => (place ?? text.place) === text.place)
  await Promise.all(waited.map((text) => text.draftWritten()))
  return unwritten.size === 0
}
