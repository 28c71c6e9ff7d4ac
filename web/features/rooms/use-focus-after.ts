import { type RefObject, useEffect, useRef } from 'react'

/**
 * An action such as joining removes the button that has the focus: moves the focus to `next` when the action is done.
 * Returns a function to call before the action.
 */
export function useFocusAfter(isDone: boolean, next: RefObject<HTMLElement | null>): () => void {
  const hasBegun = useRef(false)
  useEffect(() => {
    if (!isDone || !hasBegun.current) return
    hasBegun.current = false
    if (document.activeElement === document.body) next.current?.focus()
  }, [isDone, next])
  return () => {
    hasBegun.current = true
  }
}
