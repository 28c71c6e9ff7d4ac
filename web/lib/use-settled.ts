import { useEffect, useState } from 'react'

const settledAfterMs = 300

/** Returns a text that changes only after the person has not typed for 300 ms. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), settledAfterMs)
    return () => clearTimeout(timer)
  }, [typed])
  return settled
}
