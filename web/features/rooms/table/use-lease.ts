import { useEffect, useEffectEvent, useState } from 'react'
import { type ReadersTurn, signEveryMs } from '#contract/rooms/table/table.ts'
import { useInterval } from '#web/lib/interval.ts'
import { RequestError } from '#web/lib/request.ts'
import { sign } from './api.ts'

interface Options {
  roomId: string
  /** The number of the turn that this person holds; null while somebody else does. */
  number: number | null
  onAnswer: (turn: ReadersTurn) => void
  /** Called when the server says that the turn is over. */
  onRefused: () => void
}

/** Tells the server that the holder is there, while the page is visible. `isOffline`: the last sign did not arrive. */
export function useSigns({ roomId, number, onAnswer, onRefused }: Options): { isOffline: boolean } {
  const [isOffline, setOffline] = useState(false)
  const onFailure = (error: unknown) => {
    const isRefusal = error instanceof RequestError
    setOffline(!isRefusal)
    if (isRefusal) onRefused()
  }
  const signNow = () => {
    if (number === null || document.visibilityState === 'hidden') return
    sign(roomId, number).then((turn) => {
      setOffline(false)
      onAnswer(turn)
    }, onFailure)
  }
  const signAtOnce = useEffectEvent(signNow)
  useEffect(() => signAtOnce(), [number])
  useInterval(signEveryMs, signNow)
  // The last sign may lapse before the next one of the interval.
  useEffect(() => {
    const signAgain = () => signAtOnce()
    addEventListener('online', signAgain)
    return () => removeEventListener('online', signAgain)
  }, [])
  return { isOffline: isOffline && number !== null }
}
