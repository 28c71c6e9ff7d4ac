import { addBookmark, listBookmarkIds, listBookmarks, removeBookmark } from '#contract/bookmarks/endpoints.ts'
import { type CallRow, people, row } from './row.ts'

export const bookmarksCalls: readonly CallRow[] = [
  row(listBookmarks, people, () => ({ query: { limit: '50' } })),
  row(listBookmarkIds, people),
  row(addBookmark, people, ({ published }) => ({ params: { postId: published } })),
  row(removeBookmark, people, ({ changed }) => ({ params: { postId: changed.id } })),
]
