import { Bell as BellIcon } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { IconButton } from '#web/ui/IconButton.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'
import { usePreloadLater } from '#web/ui/use-preload-later.ts'
import { WaitingAtButton } from '#web/ui/WaitingAtButton.tsx'
import { useMarkSeen } from './unseen.ts'
import { useNotifications } from './use-notifications.ts'

/** The button in the header that opens the latest notifications. */
export function Bell({ personId }: { personId: string }) {
  const notifications = useNotifications(personId)
  const markSeen = useMarkSeen(personId)
  const [isOpen, setIsOpen] = useState(false)
  const [isFetched, setIsFetched] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const newCount = notifications.filter(({ isRead }) => !isRead).length
  const hasBadge = newCount > 0 && !isOpen

  usePreloadLater(BellContent.preload)
  const close = () => {
    setIsOpen(false)
    // The list shows which are new until it is closed. Nobody has seen a list that is still being fetched.
    if (isFetched) markSeen(() => true)
  }
  return (
    <>
      <span className="relative flex">
        <IconButton
          ref={button}
          label={hasBadge ? `Notifications, ${newCount} new` : 'Notifications'}
          icon={BellIcon}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onPointerEnter={preload}
          onFocus={preload}
          onClick={isOpen ? close : () => setIsOpen(true)}
        />
        {hasBadge && (
          <span
            aria-hidden
            className="pointer-events-none absolute top-0.5 inset-e-0 min-w-4.5 rounded-full border-2 border-surface bg-lamp px-0.5 text-center text-[0.625rem] leading-3.5 font-semibold text-on-lamp"
          >
            {newCount > 9 ? '9+' : newCount}
          </span>
        )}
      </span>
      {(isOpen || isFetched) && (
        <BellContent
          button={button}
          id={id}
          notifications={notifications}
          isOpen={isOpen}
          onFetched={() => setIsFetched(true)}
          onClose={close}
        />
      )}
    </>
  )
}

const BellContent = part(
  async () => (await import('./BellContent.tsx')).BellContent,
  failedDialog,
  ({ button, onClose }) => <WaitingAtButton button={button} onClose={onClose} />,
)

/** A failure shows when the bell is opened. */
const preload = () => void BellContent.preload().catch(() => {})
