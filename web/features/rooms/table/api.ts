import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  addAside,
  getTurn,
  listAsides,
  passTurn,
  returnToTable,
  renewLease,
  takeSeat,
} from '#contract/rooms/table/endpoints.ts'
import type { ReadersTurn, RoomTurn } from '#contract/rooms/table/table.ts'
import { queryKeyOf, useAction } from '#web/lib/api.ts'
import { listKind } from '#web/lib/first-page.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { send } from '#web/lib/request.ts'
import { usePages } from '#web/lib/pages.ts'

export interface KnownTurn extends ReadersTurn {
  /** How many milliseconds the clock of the server is ahead of the clock of this device. */
  aheadMs: number
}

const paramsOf = (id: string) => ({ params: { id } })
const keyOf = (id: string) => queryKeyOf(getTurn, paramsOf(id))
const knownOf = (client: QueryClient, id: string) => client.getQueryData<KnownTurn>(keyOf(id))

/** Answers and events may arrive in another order than they were sent: the greater revision is the newer state. */
const newerOf = (known: KnownTurn | undefined, answer: ReadersTurn): KnownTurn =>
  known !== undefined && known.revision > answer.revision
    ? known
    : { ...answer, aheadMs: Date.parse(answer.now) - Date.now() }

/** Whose turn it is, as the server has last said. */
export function useTurn(id: string) {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(id),
    queryFn: async ({ signal }) => {
      const answer = await send(getTurn, { ...paramsOf(id), signal })
      return newerOf(knownOf(client, id), answer)
    },
    staleTime: 0,
  })
  return {
    turn: data,
    error,
    refetch: () => void refetch(),
    /** Takes the answer of a call. */
    take: (answer: ReadersTurn) =>
      void client.setQueryData<KnownTurn>(keyOf(id), (known) => newerOf(known, answer)),
    /** Takes an event. It is the same for all readers, so a place in the line is requested and an old tail is dropped. */
    takeEvent: (event: RoomTurn) => {
      const known = knownOf(client, id)
      if (known !== undefined && event.revision <= known.revision) return
      if (known !== undefined) client.setQueryData<KnownTurn>(keyOf(id), { ...known, ...event, tail: null })
      if (known === undefined || known.placeInLine !== null) void refetch()
    },
  }
}

export const useTakeSeat = () => useAction(takeSeat, { failure: 'Failed to take a seat' })
export const usePassTurn = () => useAction(passTurn, { failure: 'Failed to pass' })
export const useReturn = () => useAction(returnToTable, { failure: 'Failed to return to the table' })

/** Not retried: the next renewal follows soon. */
export const renew = (id: string, number: number): Promise<ReadersTurn> =>
  send(renewLease, { ...paramsOf(id), input: { number } })

/** The rest of the turn by the clock of the server; 0 without a turn. */
export const msLeftOf = (turn: Pick<KnownTurn, 'endsAt' | 'aheadMs'> | null, now: Date): number =>
  turn === null || turn.endsAt === null
    ? 0
    : Math.max(0, Date.parse(turn.endsAt) - turn.aheadMs - now.getTime())

/** Fewer than the server allows: a person mostly reads the newest ones. */
const asidesOfPage = { limit: '50' }

/** What was said at a table beside the story, the newest first. */
export const useAsides = (id: string) => usePages(listAsides, asidesOfPage, { id })

export function useRefetchAsides(id: string): () => void {
  const client = useQueryClient()
  const queryKey = [...queryKeyOf(listAsides, { ...paramsOf(id), query: asidesOfPage }), listKind]
  return () => void readAgain(client, { queryKey })
}

export const useAddAside = () => useAction(addAside, { failure: 'Failed to say something at the table' })

/** The place of the draft of what a person says. */
export const asidePlaceOf = (roomId: string) => `aside/${roomId}`
