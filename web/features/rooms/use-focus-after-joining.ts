import { type RefObject, useEffect, useRef } from 'react'

/** Where to go on after joining: the button that was pressed has gone, and the focus with it. Answers what to call at the press. */
export function useFocusAfterJoining(isMember: boolean, next: RefObject<HTMLElement | null>): () => void {
  const hasPressed = useRef(false)
  useEffect(() => {
    if (isMember && hasPressed.current && document.activeElement === document.body) next.current?.focus()
  }, [isMember, next])
  return () => {
    hasPressed.current = true
  }
}
