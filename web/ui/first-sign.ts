import { useEffect, useState } from 'react'

const signs = ['pointermove', 'pointerdown', 'keydown'] as const

/** Whether somebody has moved, touched or typed: what answers only to that is fetched then, not with the page. */
export function useIsInHands(): boolean {
  const [isInHands, setIsInHands] = useState(false)
  useEffect(() => {
    const take = () => setIsInHands(true)
    for (const sign of signs) addEventListener(sign, take, { once: true })
    return () => {
      for (const sign of signs) removeEventListener(sign, take)
    }
  }, [])
  return isInHands
}
