/** Shown after the pretended analysis, which reads no text. */
export const cannedComments = [
  'A voice that knows where it is going. Keep it close.',
  'You write the way one talks at the end of a long evening: honestly.',
  'Short or long, your sentences breathe. That cannot be taught.',
  'There is a story behind these words. We would like to read it.',
  'You notice small things. Small things make great pages.',
  'A calm hand and a curious eye: a good pair to begin with.',
] as const
