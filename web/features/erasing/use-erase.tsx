import { type ReactNode, useState } from 'react'
import { failedDialog, part } from '#web/ui/part.tsx'

/** What an admin can erase. A version is the new text of a published post, which waits for review. */
export type Erasable = {
  id: string
  /** The text, whose beginning says which one goes; null when the page does not have it. */
  content: string | null
} & ({ kind: 'post' | 'version' } | { kind: 'passage'; roomId: string })

/**
 * Erases a text for good, after the admin has confirmed it twice. Show `dialog` once: it is empty until `erase` is called.
 * Offer it to admins only.
 */
export function useErase(onErased?: () => void): { erase: (text: Erasable) => void; dialog: ReactNode } {
  const [text, setText] = useState<Erasable | null>(null)
  return {
    erase: setText,
    dialog: text && <EraseDialog text={text} onErased={onErased} onClose={() => setText(null)} />,
  }
}

const EraseDialog = part(async () => (await import('./EraseDialog.tsx')).EraseDialog, failedDialog)
