import { DropdownMenu } from 'radix-ui'
import { type FocusEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { ButtonElsewhere } from './ButtonElsewhere.tsx'
import { cx } from './cx.ts'
import type { MenuItem } from './Menu.tsx'

interface MenuContentProps {
  button: RefObject<HTMLElement | null>
  /** The ids of the menu and of its button. */
  id: string
  buttonId: string
  items: readonly MenuItem[]
  heading?: (() => string) | undefined
  isOpen: boolean
  /** A key has opened the menu: at the first opening the focus starts on the first item. */
  startsOnItem: boolean
  onFetched: () => void
  onClose: () => void
}

/** What a menu shows while it is open. It is fetched when a person is about to open the menu. */
export function MenuContent({
  button,
  id,
  buttonId,
  items,
  heading,
  isOpen,
  startsOnItem,
  onFetched,
  onClose,
}: MenuContentProps) {
  const markFetched = useEffectEvent(onFetched)
  useEffect(() => markFetched(), [])
  // The library sees no key that was pressed before this component is shown. It does the same for all later openings.
  const isFirstFocus = useRef(startsOnItem)
  const focusFirstItem = ({ target, currentTarget }: FocusEvent) => {
    if (target !== currentTarget || !isFirstFocus.current) return
    isFirstFocus.current = false
    currentTarget.querySelector<HTMLElement>('[role=menuitem]:not([data-disabled])')?.focus()
  }
  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={onClose}>
      <DropdownMenu.Trigger asChild>
        <ButtonElsewhere button={button} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          id={id}
          aria-labelledby={buttonId}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          onFocus={focusFirstItem}
          className="z-50 min-w-44 data-[state=open]:animate-appear rounded-lg border border-line bg-surface p-1 text-ink shadow-float"
        >
          {heading && <Heading ask={heading} />}
          {items.map(({ label, icon: Icon, danger = false, disabled = false, onSelect }) => (
            <DropdownMenu.Item
              key={label}
              disabled={disabled}
              onSelect={onSelect}
              className={cx(
                'touch flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm outline-none select-none',
                'data-disabled:cursor-not-allowed data-disabled:opacity-60 data-highlighted:bg-sunk',
                danger && 'text-bad',
              )}
            >
              {Icon && <Icon aria-hidden className="size-4" />}
              {label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

/** The content of a menu is drawn anew whenever it opens. */
function Heading({ ask }: { ask: () => string }) {
  const [text] = useState(ask)
  return <DropdownMenu.Label className="px-2.5 py-1.5 text-xs text-ink-soft">{text}</DropdownMenu.Label>
}
