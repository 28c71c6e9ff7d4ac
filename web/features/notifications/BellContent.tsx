import { X } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { ButtonElsewhere } from '#web/ui/ButtonElsewhere.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { DesktopPermission } from './DesktopPermission.tsx'
import { NotificationList } from './NotificationList.tsx'
import type { DeviceNotifications } from './notifications-of-device.ts'

interface BellContentProps {
  button: RefObject<HTMLElement | null>
  /** The id of the dialog. */
  id: string
  notifications: DeviceNotifications
  isOpen: boolean
  onFetched: () => void
  onClose: () => void
}

/** What the bell shows while it is open. It is fetched when a person is about to open the bell. */
export function BellContent({ button, id, notifications, isOpen, onFetched, onClose }: BellContentProps) {
  const markFetched = useEffectEvent(onFetched)
  useEffect(() => markFetched(), [])
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Popover.Root open={isOpen} onOpenChange={onClose}>
      <Popover.Trigger asChild>
        <ButtonElsewhere button={button} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          id={id}
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
            <IconButton label="Close" icon={X} onClick={onClose} />
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
            <NotificationList notifications={notifications} onOpen={onClose} />
          </div>
          <DesktopPermission />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
