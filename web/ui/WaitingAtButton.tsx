import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'

interface WaitingAtButtonProps {
  button: RefObject<HTMLElement | null>
  onClose: () => void
}

/**
 * Stands in for a menu or popover while its file is fetched. A person who does something else meanwhile has closed the
 * menu: it does not open later and take the focus from what the person types.
 */
export function WaitingAtButton({ button, onClose }: WaitingAtButtonProps) {
  const closeWhenElsewhere = useEffectEvent((event: Event) => {
    const isAtButton = event.target instanceof Node && button.current?.contains(event.target)
    if (!isAtButton || (event instanceof KeyboardEvent && event.key === 'Escape')) onClose()
  })
  // Removes the listeners before what takes this place moves the focus.
  useLayoutEffect(() => {
    for (const type of occasions) document.addEventListener(type, closeWhenElsewhere, true)
    return () => {
      for (const type of occasions) document.removeEventListener(type, closeWhenElsewhere, true)
    }
  }, [])
  return null
}

const occasions = ['keydown', 'pointerdown', 'focusin']
