import { Button } from '#web/ui/Button.tsx'
import { keepFocusOnPhone } from '#web/ui/keep-focus.ts'
import type { WrittenDraft } from './use-draft.ts'

/** Says that the server has the draft no more, and asks what becomes of the text in this browser. */
export function GoneDraft({ draft, onDiscarded }: { draft: WrittenDraft; onDiscarded: () => void }) {
  if (!draft.isGone) return null
  const discard = async () => {
    await draft.discardHere()
    onDiscarded()
  }
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-sunk px-4 py-3 font-sans text-sm"
    >
      <p className="min-w-0 flex-1 basis-60">This text was sent or deleted on another device.</p>
      <Button onMouseDown={keepFocusOnPhone} onClick={() => void draft.keepAsNew()}>
        Keep it as a new draft
      </Button>
      <Button variant="quiet" onMouseDown={keepFocusOnPhone} onClick={() => void discard()}>
        Discard it here
      </Button>
    </div>
  )
}
