import { type RefObject, useEffect, useRef } from 'react'

/** Joining removes the Join button, which has the focus: moves the focus to `next`. Returns a function to call before joining. */
export function useFocusAfterJoining(isMember: boolean, next: RefObject<HTMLElement | null>): () => void {
  const hasJoined = useRef(false)
  useEffect(() => {
    if (isMember && hasJoined.current && document.activeElement === document.body) next.current?.focus()
  }, [isMember, next])
  return () => {
    hasJoined.current = true
  }
}
