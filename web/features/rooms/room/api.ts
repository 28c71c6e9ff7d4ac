import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import {
  getRoom,
  getRoomMembership,
  listPassages,
  sendPassage,
  announceWriting,
} from '#contract/rooms/endpoints.ts'
import type { Room, RoomPassage } from '#contract/rooms/room.ts'
import { keyOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { send, sendForPage } from '#web/lib/request.ts'
import { continues, joined } from './passages.ts'

const paramsOf = (id: string) => ({ params: { id } })

export const useRoom = (id: string) => useEndpoint(getRoom, { ...paramsOf(id), staleTime: 0 })

/** Asked for people with an account alone: nobody else can be a member. */
export function useMembership(id: string, isRegistered: boolean): boolean {
  const membership = useEndpoint(getRoomMembership, { ...paramsOf(id), enabled: isRegistered, staleTime: 0 })
  return isRegistered && membership.status === 'ready' && membership.data.isMember
}

const keyOfPassages = (id: string) => keyOf(listPassages, paramsOf(id))
const knownOf = (client: QueryClient, id: string) =>
  client.getQueryData<RoomPassage[]>(keyOfPassages(id)) ?? []

/** The newest passages of a room, with all that was read or heard before them. */
export function usePassages(id: string, mayRead: boolean) {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: keyOfPassages(id),
    queryFn: async ({ signal }) => {
      const newest = await send(listPassages, { ...paramsOf(id), signal })
      return joined(knownOf(client, id), newest)
    },
    enabled: mayRead,
    staleTime: 0,
  })
  const [isReadingEarlier, setReadingEarlier] = useState(false)
  const { data: passages, error } = query
  const [first] = passages ?? []

  const take = (more: readonly RoomPassage[]) =>
    client.setQueryData<RoomPassage[]>(keyOfPassages(id), (known = []) => joined(known, more))
  const readEarlier = async (before: RoomPassage) => {
    setReadingEarlier(true)
    try {
      const query = { before: String(before.position) }
      take((await sendForPage(listPassages, { ...paramsOf(id), query })).items)
    } catch (failure) {
      console.error('Failed to load earlier passages', failure)
    }
    setReadingEarlier(false)
  }
  const refetch = () => void query.refetch()
  return {
    passages,
    error,
    refetch,
    /** A passage that was heard of, or was just written. */
    add: (passage: RoomPassage) => {
      if (continues(knownOf(client, id), passage)) take([passage])
      else refetch()
    },
    isReadingEarlier,
    readEarlier: first !== undefined && first.position > 1 ? () => readEarlier(first) : null,
  }
}

/** What is told of a room without asking for it. */
export function useRoomCache(id: string) {
  const client = useQueryClient()
  return {
    change: (part: Partial<Room>) =>
      client.setQueryData<Room>(keyOf(getRoom, paramsOf(id)), (room) => room && { ...room, ...part }),
    readAnew: () => void client.invalidateQueries({ queryKey: keyOf(getRoom, paramsOf(id)) }),
  }
}

export const useSendPassage = () => useAction(sendPassage)

const tellAgainMs = 3500

/** Tells the others that somebody is writing, as often as they are told. */
export function useTellWriting(id: string): () => void {
  const toldAt = useRef(-Infinity)
  return () => {
    if (performance.now() - toldAt.current < tellAgainMs) return
    toldAt.current = performance.now()
    send(announceWriting, paramsOf(id)).catch(() => {
      // The line itself says what is wrong.
    })
  }
}
