import { useEffect, useEffectEvent, useState } from 'react'
import { type ReadersTurn, renewLeaseEveryMs } from '#contract/rooms/table/table.ts'
import { useInterval } from '#web/lib/interval.ts'
import { RequestError } from '#web/lib/request.ts'
import { renew } from './api.ts'

interface Options {
  roomId: string
  /** The number of the turn that this person holds; null while somebody else does. */
  number: number | null
  onAnswer: (turn: ReadersTurn) => void
  /** Called when the server says that the turn is over. */
  onRefused: () => void
}

/** Renews the lease of the holder while the page is visible. `isOffline`: the last renewal did not arrive. */
export function useLease({ roomId, number, onAnswer, onRefused }: Options): { isOffline: boolean } {
  const [isOffline, setOffline] = useState(false)
  const onFailure = (error: unknown) => {
    const isRefusal = error instanceof RequestError
    setOffline(!isRefusal)
    if (isRefusal) onRefused()
  }
  const renewNow = () => {
    if (number === null || document.visibilityState === 'hidden') return
    renew(roomId, number).then((turn) => {
      setOffline(false)
      onAnswer(turn)
    }, onFailure)
  }
  const renewAtOnce = useEffectEvent(renewNow)
  useEffect(() => renewAtOnce(), [number])
  useInterval(renewLeaseEveryMs, renewNow)
  // The lease may lapse before the interval renews it.
  useEffect(() => {
    const renewAgain = () => renewAtOnce()
    addEventListener('online', renewAgain)
    return () => removeEventListener('online', renewAgain)
  }, [])
  return { isOffline: isOffline && number !== null }
}
