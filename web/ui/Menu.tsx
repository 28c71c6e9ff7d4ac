import type { LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type ReactElement, useState } from 'react'
import { cx } from './cx.ts'

export interface MenuItem {
  label: string
  icon?: LucideIcon
  danger?: boolean
  disabled?: boolean
  onSelect: () => void
}

interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement
  items: readonly MenuItem[]
  /** The menu is open when it is first shown, with the focus in it. */
  isOpenAtFirst?: boolean
  /** Stands over the items. It is asked for whenever the menu opens. */
  heading?: (() => string) | undefined
}

export function Menu({ trigger, items, isOpenAtFirst = false, heading }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen={isOpenAtFirst}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
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
