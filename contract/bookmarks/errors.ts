import { bookmarksMax } from './rules.ts'

export const bookmarkErrors = {
  BookmarksFull: {
    status: 400,
    error: `You keep ${bookmarksMax} posts to read later. Please remove one first.`,
  },
} as const
