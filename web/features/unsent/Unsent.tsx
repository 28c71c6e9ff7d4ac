import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import type { TextKind } from '#web/lib/editor/text-kind.ts'
import { usePreloadLater } from '#web/ui/use-preload-later.ts'
import { failedDialog, part } from '#web/ui/part.tsx'
import { useInstallation } from './installation.ts'
import { Sender } from './sender.ts'
import { unsentLine } from './words.ts'

/** Sends what waits on this device, and says so in one line above the page, which leads to the list. */
export function Unsent({ personId, kinds }: { personId: string; kinds: TextKind[] }) {
  const client = useQueryClient()
  const [sender] = useState(() => new Sender({ personId, kinds, client }))
  const unsent = useSyncExternalStore(sender.subscribe, sender.snapshot)
  const installation = useInstallation()
  const [isOpen, setIsOpen] = useState(false)
  const [place] = useState(() => document.createElement('div'))
  const line = unsentLine(unsent, kinds)

  useEffect(() => sender.start(), [sender])
  // The list is opened when there is no network to fetch it.
  usePreloadLater(UnsentDialog.preload)
  useEffect(() => {
    document.getElementById('main')?.before(place)
    return () => place.remove()
  }, [place])
  return (
    <>
      {createPortal(
        // In the space above the page, so that the line moves nothing when it comes and goes. On a phone it needs a bit more.
        <output className="phone-writing:hidden relative z-10 block h-0 px-4 text-center text-xs text-ink-soft not-empty:max-sm:h-4 sm:px-6 print:hidden">
          {line !== '' && unsent.texts.length === 0 && <span className="block pt-1 sm:pt-0.5">{line}</span>}
          {unsent.texts.length > 0 && (
            <button
              type="button"
              className="relative max-w-full truncate pt-1 sm:pt-0.5 underline decoration-1 underline-offset-2 before:absolute before:-inset-x-2 before:-inset-y-1 hover:text-ink"
              onClick={() => setIsOpen(true)}
            >
              {line}
            </button>
          )}
        </output>,
        place,
      )}
      {isOpen && (
        <UnsentDialog
          unsent={unsent}
          installation={installation}
          onSend={() => sender.send()}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}

const UnsentDialog = part(async () => (await import('./UnsentDialog.tsx')).UnsentDialog, failedDialog)
