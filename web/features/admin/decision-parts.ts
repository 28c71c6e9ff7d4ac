import { failedDialog, part } from '#web/ui/part.tsx'

// The dialogs of a post that is decided about, fetched when one is opened.
export const DecisionDialog = part(
  async () => (await import('./DecisionDialog.tsx')).DecisionDialog,
  failedDialog,
)
export const ReadingPane = part(async () => (await import('./ReadingPane.tsx')).ReadingPane, failedDialog)
