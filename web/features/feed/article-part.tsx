import { leaveArticle } from '#web/features/posts/index.ts'
import { failedDialog, part } from '#web/ui/part.tsx'

/** The article over the feed, fetched when one is opened. */
export const ArticleDialog = part(
  async () => (await import('./ArticleDialog.tsx')).ArticleDialog,
  (tryAgain, kept) => failedDialog(tryAgain, kept, { onClose: leaveArticle }),
)
