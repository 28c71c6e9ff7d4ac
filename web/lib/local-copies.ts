/** Keys under which a person's own texts are kept in this browser begin so, followed by the person's id. */
export const localCopyPrefixes = ['diary:', 'notes:', 'post-draft:'] as const

/** Removes what this browser keeps for a person: signing out leaves nothing behind (S48). */
export function removeLocalCopies(personId: string): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (localCopyPrefixes.some((prefix) => `${key}:`.startsWith(`${prefix}${personId}:`)))
        localStorage.removeItem(key)
    }
  } catch {
    // Storage that cannot be read holds nothing of ours.
  }
}
