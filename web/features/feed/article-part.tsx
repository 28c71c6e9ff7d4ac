import type { ReactNode } from 'react'
import { failedDialog, part } from '#web/ui/part.tsx'
import { useLeaveArticle } from './article.ts'

/** The article over a page, fetched when one is opened. */
export const ArticleDialog = part(
  async () => (await import('./ArticleDialog.tsx')).ArticleDialog,
  (tryAgain, kept) => <MissingArticle tryAgain={tryAgain} kept={kept} />,
)

function MissingArticle({ tryAgain, kept }: { tryAgain: () => void; kept: ReactNode }) {
  'use no memo'
  return failedDialog(tryAgain, kept, { onClose: useLeaveArticle() })
}
