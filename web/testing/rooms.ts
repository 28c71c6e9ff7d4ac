/** The fields of a room in which everybody may write at any time. */
export const noTurns = {
  turns: 'free',
  isFolded: false,
  turnSeconds: null,
  passageMax: null,
  opening: null,
  wordGoal: null,
  isClosed: false,
} as const

/** The fields of a passage in such a room. */
export const unfolded = { folded: false, words: null } as const
