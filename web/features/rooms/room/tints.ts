/** They tell authors apart. Two authors may share one: the names stand beside the passages. */
const tints = [
  { text: 'text-author-1', border: 'border-author-1' },
  { text: 'text-author-2', border: 'border-author-2' },
  { text: 'text-author-3', border: 'border-author-3' },
  { text: 'text-author-4', border: 'border-author-4' },
  { text: 'text-author-5', border: 'border-author-5' },
  { text: 'text-author-6', border: 'border-author-6' },
] as const

/** The tint of an author, the same on every page of the story. */
export const tintOf = (userId: string) => tints[numberOf(userId) % tints.length]!

const numberOf = (userId: string): number =>
  Array.from(userId).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 0)
