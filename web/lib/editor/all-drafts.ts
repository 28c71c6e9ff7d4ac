interface Drafted {
  draftWritten: () => Promise<void>
}

/** The texts of this tab whose latest change is not in a draft: it is being written, or could not be written. */
export const unwritten = new Set<Drafted>()

/**
 * Waits until all typed texts of this tab are in their drafts: the page may be loaded again then. Returns false when a draft
 * could not be written.
 */
export async function whenAllDraftsWritten(): Promise<boolean> {
  await Promise.all([...unwritten].map((text) => text.draftWritten()))
  return unwritten.size === 0
}
