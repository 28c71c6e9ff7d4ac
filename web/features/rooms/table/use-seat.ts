import { useEffect, useEffectEvent, useState } from 'react'
import type { ReadersTurn } from '#contract/rooms/table/table.ts'
import { useReturn, useTakeSeat } from './api.ts'
import type { Place } from './place.ts'

interface Options {
  roomId: string
  place: Place | null
  onTurn: (turn: ReadersTurn) => void
}

/** Gives a member a seat when the page opens. A member who loses the seat later asks for one with a button. */
export function useSeat({ roomId, place, onTurn }: Options) {
  const taking = useTakeSeat()
  const returning = useReturn()
  const [wasSeated, setWasSeated] = useState(false)
  const isSeated = place !== null && place !== 'reader' && place !== 'unseated'
  if (isSeated && !wasSeated) setWasSeated(true)
  const params = { id: roomId }
  const take = async () => {
    const turn = await taking.attempt({ params })
    if (turn) onTurn(turn)
  }
  const takeFirst = useEffectEvent(() => {
    if (!wasSeated) void take()
  })
  const isUnseated = place === 'unseated'
  useEffect(() => {
    if (isUnseated) takeFirst()
  }, [isUnseated])
  return {
    isBusy: taking.status === 'running' || returning.status === 'running',
    mayAsk: isUnseated && (wasSeated || taking.status === 'failed'),
    take: () => void take(),
    comeBack: async () => {
      if (returning.status === 'running') return
      const turn = await returning.attempt({ params })
      if (turn) onTurn(turn)
    },
  }
}
