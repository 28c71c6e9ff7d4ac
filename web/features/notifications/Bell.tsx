import { Bell as BellIcon, X } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useRef, useState } from 'react'
import { IconButton } from '#web/ui/IconButton.tsx'
import { NotificationList } from './NotificationList.tsx'
import { DesktopPermission } from './DesktopPermission.tsx'
import { useMarkSeen } from './unseen.ts'
import { useNotifications } from './use-notifications.ts'

/** The button in the header that opens the latest notifications. */
export function Bell({ personId }: { personId: string }) {
  const notifications = useNotifications(personId)
  const markSeen = useMarkSeen(personId)
  const [isOpen, setIsOpen] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const newCount = notifications.filter(({ isRead }) => !isRead).length
  const hasBadge = newCount > 0 && !isOpen

  const change = (open: boolean) => {
    setIsOpen(open)
    // The list shows which are new until it is closed.
    if (!open) markSeen(() => true)
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={change}>
      <span className="relative flex">
        <Popover.Trigger asChild>
          <IconButton label={hasBadge ? `Notifications, ${newCount} new` : 'Notifications'} icon={BellIcon} />
        </Popover.Trigger>
        {hasBadge && (
          <span
            aria-hidden
            className="pointer-events-none absolute top-0.5 inset-e-0 min-w-4.5 rounded-full border-2 border-surface bg-lamp px-0.5 text-center text-[0.625rem] leading-3.5 font-semibold text-on-lamp"
          >
            {newCount > 9 ? '9+' : newCount}
          </span>
        )}
      </span>
      <Popover.Portal>
        <Popover.Content
          aria-labelledby="notifications"
          // On the button that closes, the focus would show its tooltip over the list.
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            heading.current?.focus()
          }}
          align="end"
          sideOffset={8}
          collisionPadding={12}
          className="z-40 flex max-h-(--radix-popover-content-available-height) w-[min(24rem,calc(100vw-1.5rem))] data-[state=open]:animate-appear flex-col rounded-lg border border-line bg-surface text-ink shadow-float outline-none"
        >
          <div className="flex items-center justify-between gap-3 border-b border-line py-2 pe-2 ps-4">
            <h2
              ref={heading}
              id="notifications"
              tabIndex={-1}
              className="text-base font-semibold outline-none"
            >
              Notifications
            </h2>
            <IconButton label="Close" icon={X} onClick={() => change(false)} />
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
            <NotificationList notifications={notifications} onOpen={() => change(false)} />
          </div>
          <DesktopPermission />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
