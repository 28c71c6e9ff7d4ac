import type { LucideIcon } from 'lucide-react'
import { cloneElement, type ComponentProps, type ReactElement, useId, useRef, useState } from 'react'
import { usePreloadLater } from './use-preload-later.ts'
import { failedDialog, part } from './part.tsx'
import { WaitingAtButton } from './WaitingAtButton.tsx'

export interface MenuItem {
  label: string
  icon?: LucideIcon
  danger?: boolean
  disabled?: boolean
  onSelect: () => void
}

interface MenuProps {
  trigger: ReactElement<ComponentProps<'button'>>
  items: readonly MenuItem[]
  /** The menu is open when it is first shown, with the focus in it. */
  isOpenAtFirst?: boolean
  /** Stands over the items. It is asked for whenever the menu opens. */
  heading?: (() => string) | undefined
}

/**
 * Draws the button at once. What the menu shows is fetched some time after the page, or as soon as a pointer or the focus
 * comes to the button.
 */
export function Menu({ trigger, items, isOpenAtFirst = false, heading }: MenuProps) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  const [isOpenedByKey, setIsOpenedByKey] = useState(false)
  const [isFetched, setIsFetched] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const menuId = `${id}menu`

  usePreloadLater(MenuContent.preload)
  const open = (by: 'key' | 'pointer') => {
    setIsOpen(true)
    setIsOpenedByKey(by === 'key')
  }
  const close = () => setIsOpen(false)
  return (
    <>
      {cloneElement(trigger, {
        ref: button,
        id,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        'aria-controls': isOpen ? menuId : undefined,
        onPointerEnter: preload,
        onFocus: preload,
        onPointerDown: (event) => {
          if (event.button !== 0 || event.ctrlKey) return
          if (isOpen) return close()
          // The button would take the focus from the menu.
          event.preventDefault()
          open('pointer')
        },
        onKeyDown: (event) => {
          if (!['Enter', ' ', 'ArrowDown'].includes(event.key)) return
          event.preventDefault()
          if (isOpen && event.key !== 'ArrowDown') close()
          else open('key')
        },
      })}
      {(isOpen || isFetched) && (
        <MenuContent
          button={button}
          id={menuId}
          buttonId={id}
          items={items}
          heading={heading}
          isOpen={isOpen}
          startsOnItem={isOpenedByKey}
          onFetched={() => setIsFetched(true)}
          onClose={close}
        />
      )}
    </>
  )
}

const MenuContent = part(
  async () => (await import('./MenuContent.tsx')).MenuContent,
  failedDialog,
  ({ button, onClose }) => <WaitingAtButton button={button} onClose={onClose} />,
)

/** A failure shows when the menu is opened. */
const preload = () => void MenuContent.preload().catch(() => {})
