import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { getSealFingerprint } from '#contract/rooms/credit/endpoints.ts'
import {
  changeRoomMembership,
  getRoom,
  getRoomMembership,
  listPassages,
  sendPassage,
  announceWriting,
  type RoomMembership,
} from '#contract/rooms/endpoints.ts'
import { erasedMark, type Room, type RoomPassage } from '#contract/rooms/room.ts'
import { queryKeyOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { send, sendForPage } from '#web/lib/request.ts'
import { followsWithoutGap, mergePassages } from './passages.ts'

const paramsOf = (id: string) => ({ params: { id } })

export const useRoom = (id: string) => useEndpoint(getRoom, { ...paramsOf(id), staleTime: 0 })

/** The fingerprint of the seal of a story, for its file. Null without a seal, and without a connection. */
export const readFingerprint = (id: string, signal: AbortSignal): Promise<string | null> =>
  send(getSealFingerprint, { ...paramsOf(id), signal }).then(
    ({ fingerprint }) => fingerprint,
    () => null,
  )

/** How the viewer signs in the room. Null for a person who is no member, and until it is known. */
export function useMembership(id: string, isMember: boolean): RoomMembership | null {
  const membership = useEndpoint(getRoomMembership, { ...paramsOf(id), enabled: isMember, staleTime: 0 })
  return isMember && membership.status === 'ready' ? membership.data : null
}

/** Reads the passages again afterwards: they carry another signature. */
export function useChangeSigning(id: string) {
  const client = useQueryClient()
  return useAction(changeRoomMembership, {
    failure: 'Failed to change the signature',
    onSuccess: (membership) => {
      client.setQueryData(queryKeyOf(getRoomMembership, paramsOf(id)), membership)
      void readAgain(client, { queryKey: keyOfPassages(id) })
    },
  })
}

const keyOfPassages = (id: string) => queryKeyOf(listPassages, paramsOf(id))
const knownOf = (client: QueryClient, id: string) =>
  client.getQueryData<RoomPassage[]>(keyOfPassages(id)) ?? []

/** Reads the newest page of passages, and earlier pages until there are so many passages or no more. */
export async function readPassages(id: string, atLeast: number, signal: AbortSignal): Promise<RoomPassage[]> {
  const passages: RoomPassage[] = []
  let before: string | null = null
  do {
    const query: { before?: string } = before === null ? {} : { before }
    const page: { items: RoomPassage[]; nextBefore: string | null } = await sendForPage(listPassages, {
      ...paramsOf(id),
      query,
      signal,
    })
    passages.unshift(...page.items)
    before = page.nextBefore
  } while (before !== null && passages.length < atLeast)
  return passages
}

export type LoadedPassages = ReturnType<typeof usePassages> & { passages: RoomPassage[] }

/**
 * The newest passages of a room, with the earlier ones that this page has received. A refetch reads all of them again,
 * because their authors may sign differently now.
 */
export function usePassages(id: string, mayRead: boolean) {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: keyOfPassages(id),
    queryFn: async ({ signal }) => {
      const known = knownOf(client, id)
      const first = known[0]?.position ?? 0
      const read = await readPassages(id, known.length, signal)
      const wanted = read.filter(({ position }) => position >= first)
      // More passages may have arrived meanwhile.
      return mergePassages(knownOf(client, id), wanted)
    },
    enabled: mayRead,
    staleTime: 0,
  })
  const [isReadingEarlier, setReadingEarlier] = useState(false)
  const refetches = useRef(0)
  const { data: passages, error } = query
  const [first] = passages ?? []

  const take = (more: readonly RoomPassage[]) =>
    client.setQueryData<RoomPassage[]>(keyOfPassages(id), (known = []) => mergePassages(known, more))
  const readEarlier = async (before: RoomPassage) => {
    setReadingEarlier(true)
    const refetchesBefore = refetches.current
    try {
      const query = { before: String(before.position) }
      take((await sendForPage(listPassages, { ...paramsOf(id), query })).items)
      // A refetch that began meanwhile did not include these passages.
      if (refetches.current !== refetchesBefore) refetch()
    } catch (failure) {
      console.error('Failed to load earlier passages', failure)
    }
    setReadingEarlier(false)
  }
  const refetch = () => {
    refetches.current++
    void query.refetch()
  }
  return {
    passages,
    error,
    refetch,
    /** Adds a passage from the stream, or one that this page has sent. */
    add: (passage: RoomPassage) => {
      if (followsWithoutGap(knownOf(client, id), passage)) take([passage])
      else refetch()
    },
    /** Shows the mark at once. What is being read may still have the text, so it is read again. */
    markErased: (position: number) => {
      const erased = { content: erasedMark, isErased: true }
      take(
        knownOf(client, id).flatMap((known) => (known.position === position ? { ...known, ...erased } : [])),
      )
      refetch()
    },
    isReadingEarlier,
    readEarlier: first !== undefined && first.position > 1 ? () => readEarlier(first) : null,
  }
}

/** Changes or refetches the room in the cache after an event of the stream. */
export function useRoomCache(id: string) {
  const client = useQueryClient()
  const refetch = (endpoint: typeof getRoom | typeof getRoomMembership) =>
    void readAgain(client, { queryKey: queryKeyOf(endpoint, paramsOf(id)) })
  return {
    change: (part: Partial<Room>) =>
      client.setQueryData<Room>(queryKeyOf(getRoom, paramsOf(id)), (room) => room && { ...room, ...part }),
    refetchRoom: () => refetch(getRoom),
    refetchMembership: () => refetch(getRoomMembership),
  }
}

export const useSendPassage = () => useAction(sendPassage, { failure: 'Failed to send a passage' })

const announceAgainMs = 3500

/** Announces to the others that this person is writing, at most once in 3.5 seconds. */
export function useAnnounceWriting(id: string): () => void {
  const announcedAt = useRef(-Infinity)
  return () => {
    if (performance.now() - announcedAt.current < announceAgainMs) return
    announcedAt.current = performance.now()
    send(announceWriting, paramsOf(id)).catch(() => {
      // A failure needs no message: the person sees one when the passage cannot be sent.
    })
  }
}
