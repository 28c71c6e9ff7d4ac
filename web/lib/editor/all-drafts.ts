interface Drafted {
  readonly place: string
  draftWritten: () => Promise<void>
}

/** The texts of this tab whose latest change is not in a draft: it is being written, or could not be written. */
export const unwritten = new Set<Drafted>()

/**
 * Waits until the typed texts of this tab are in their drafts: all of them, or those of one place. Returns false when one of
 * these drafts could not be written. After true for all places the page may be loaded again.
 */
export async function whenDraftsWritten(place?: string): Promise<boolean> {
  const awaited = () => [...unwritten].filter((text) => place === undefined || text.place === place)
  await Promise.all(awaited().map((text) => text.draftWritten()))
  return awaited().length === 0
}
