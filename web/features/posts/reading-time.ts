/** Most people read about so many words of their own language in a minute. */
const wordsPerMinute = 220

export const readingMinutes = (words: number): number => Math.max(1, Math.round(words / wordsPerMinute))
