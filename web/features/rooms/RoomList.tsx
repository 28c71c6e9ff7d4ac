import { Plus } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { dayOf } from '#contract/days.ts'
import { inboxTopics } from '#contract/inbox/live.ts'
import { roomPath, roomsPath } from '#contract/rooms/paths.ts'
import type { ListedRoom, Room } from '#contract/rooms/room.ts'
import { msLeft } from '#contract/rooms/times.ts'
import { openSignIn, useAreKeysAwaited, useSession } from '#web/features/account/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { useLive } from '#web/lib/live/use-live.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { useClock, useInterval } from '#web/lib/interval.ts'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ListNotReady } from '#web/ui/ListNotReady.tsx'
import { Outdated } from '#web/ui/NotReady.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'
import { useOpenRooms, useRooms, useSlowRooms } from './api.ts'
import { FinishedStories } from './FinishedStories.tsx'
import { gridClass, RoomCards } from './RoomCards.tsx'

const refreshMs = 30_000

export function RoomList() {
  usePageTitle('Z!mmers')
  const { state, user } = useSession()
  const areKeysAwaited = useAreKeysAwaited()
  const [, navigate] = useLocation()
  const friendId = new URLSearchParams(useSearch()).get('with')
  const [isCreating, setIsCreating] = useState(friendId !== null)
  const close = () => {
    setIsCreating(false)
    if (friendId !== null) navigate(roomsPath, { replace: true })
  }
  return (
    <div className="flex w-full flex-col gap-10">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="text-2xl">Z!mmers</h1>
          <p className="mt-1 font-serif text-lg text-ink-soft">
            A Z!mmer is a server to tell a story as a group
          </p>
        </div>
        <Button onClick={() => (state === 'none' || state === 'guest' ? openSignIn() : setIsCreating(true))}>
          <Plus aria-hidden className="size-4" />
          Create
        </Button>
      </header>
      <Lists />
      {isCreating && state === 'registered' && !areKeysAwaited && (
        <RoomForm
          owner={user.id}
          friendId={friendId}
          onClose={close}
          onCreated={({ id }) => navigate(roomPath(id))}
        />
      )}
    </div>
  )
}

const RoomForm = part(async () => (await import('./RoomForm.tsx')).RoomForm, failedDialog)

function Lists() {
  const today = useRooms()
  const open = useOpenRooms()
  const slow = useSlowRooms()
  const rooms = today.data?.items ?? []
  const stillOpen = open.data?.items ?? []
  const slowTables = slow.data?.items ?? []
  const isOfToday = useIsOfToday()
  const hasSlow = slowTables.some(isOfToday)
  const [active, ended] = [
    rooms.filter(({ isActive }) => isActive),
    rooms.filter(({ isActive }) => !isActive),
  ]

  const refresh = () => {
    today.refetch()
    open.refetch()
    slow.refetch()
  }
  useInterval(refreshMs, refresh)
  useInvitations(refresh)
  useAtEnds([...rooms, ...stillOpen, ...slowTables], refresh)

  // A section is shown after the sections above it, so that no section pushes another one down.
  // With no open room in the list, only the slow tables can say whether one of today is open.
  const waits = today.status === 'ready' && active.length === 0 && slow.status === 'loading'
  const ofToday: typeof today = waits
    ? { status: 'loading', data: undefined, error: null, refetch: today.refetch }
    : today
  const isOpenSettled = ofToday.status !== 'loading' && open.status !== 'loading'
  const isSettled = isOpenSettled && slow.status !== 'loading'
  return (
    <>
      <section aria-labelledby="todays-rooms" className="flex flex-col gap-4">
        <h2 id="todays-rooms" className="text-xl font-semibold">
          Today's Z!mmers
        </h2>
        <TodaysRooms of={ofToday} open={active} hasSlow={hasSlow} />
      </section>
      {ofToday.status !== 'loading' && open.data && stillOpen.length > 0 && (
        <section aria-labelledby="still-open" className="flex flex-col gap-4">
          <h2 id="still-open" className="text-xl font-semibold">
            Still open
          </h2>
          <RoomCards rooms={stillOpen} pages={open.data} />
        </section>
      )}
      {isOpenSettled && slow.data && slowTables.length > 0 && (
        <section aria-labelledby="slow-tables" className="flex flex-col gap-4">
          <h2 id="slow-tables" className="text-xl font-semibold">
            Slow tables
          </h2>
          <RoomCards rooms={slowTables} pages={slow.data} />
        </section>
      )}
      {ended.length > 0 && (
        <section aria-labelledby="ended-today" className="flex flex-col gap-4">
          <h2 id="ended-today" className="text-xl font-semibold">
            Ended today
          </h2>
          <RoomCards rooms={ended} />
        </section>
      )}
      <div className={isSettled ? undefined : 'hidden'}>
        <FinishedStories />
      </div>
    </>
  )
}

interface TodaysRoomsProps {
  of: ReturnType<typeof useRooms>
  open: readonly ListedRoom[]
  /** Whether slow tables of today are open. They stand in a list of their own. */
  hasSlow: boolean
}

function TodaysRooms({ of: today, open, hasSlow }: TodaysRoomsProps) {
  if (today.status !== 'ready')
    return (
      <ListNotReady
        of={today}
        what="The Z!mmers"
        count={6}
        each="h-60 rounded-lg"
        className={cx(gridClass, 'min-h-dvh content-start')}
      />
    )
  return (
    <>
      <Outdated of={today} what="The list" />
      {open.length === 0 &&
        (hasSlow ? (
          <p className="text-ink-soft">The open Z!mmers of today are slow tables.</p>
        ) : today.data.items.length === 0 ? (
          <NoRooms />
        ) : (
          <p className="text-ink-soft">No Z!mmer of today is open any more.</p>
        ))}
      <RoomCards rooms={open} pages={today.data} />
    </>
  )
}

/** Whether a room was created on the day that the list shows. */
function useIsOfToday() {
  const { timeZone } = useAppConfig()
  const today = useClock((now) => dayOf(now, timeZone))
  return ({ createdAt }: Room) => dayOf(new Date(createdAt), timeZone) === today
}

/** Refreshes the list when a friend has invited the reader to a room, and when it is the reader's turn. */
function useInvitations(refresh: () => void) {
  const { state, user } = useSession()
  const personId = state === 'registered' ? user.id : ''
  useLive({
    kind: inboxTopics,
    ids: personId === '' ? [] : [personId],
    personId,
    onEvent: ({ type }) => {
      if (type === 'room.invited' || type === 'turn.reminder') refresh()
    },
  })
}

/** Refreshes the list when a room in it ends, so that badge and clock agree. */
function useAtEnds(rooms: readonly Room[], refresh: () => void) {
  const ended = useClock((now) => rooms.filter((room) => room.isActive && msLeft(room, now) === 0).length)
  const refreshLists = useEffectEvent(refresh)
  useEffect(() => {
    if (ended > 0) refreshLists()
  }, [ended])
}

function NoRooms() {
  return (
    <EmptyState
      drawing="door"
      text={
        <>
          <span className="block">No Z!mmers created today</span>
          <span className="block text-base">Be the first to start a collaborative story!</span>
        </>
      }
    />
  )
}
