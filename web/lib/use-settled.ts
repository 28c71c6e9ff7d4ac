import { useEffect, useState } from 'react'

const settledAfterMs = 300

/** Returns a text that changes only after the person has not typed for 300 ms. Until then it is `first`. */
export function useSettled(typed: string, first = typed): string {
  const [settled, setSettled] = useState(first)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), settledAfterMs)
    return () => clearTimeout(timer)
  }, [typed])
  return settled
}
