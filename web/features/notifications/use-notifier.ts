import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { listFriends } from '#contract/friends/endpoints.ts'
import { friendName, type ListedFriend } from '#contract/friends/friend.ts'
import { type InboxEvents, inboxTopics, listedEvents } from '#contract/inbox/live.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { type LiveEvent, useLive } from '#web/lib/live/use-live.ts'
import { send } from '#web/lib/request.ts'
import { serverNow } from '#web/lib/server-clock.ts'
import { readKey } from '#web/lib/session-storage.ts'
import { useToast } from '#web/ui/toasts.tsx'
import { permissionNow, requestPermission, showOnDesktop } from './desktop.ts'
import {
  removeNotification,
  isNewNotification,
  keepNotification,
  notificationsOf,
  markNotificationsRead,
} from './kept.ts'
import { friendThing, type Occasion, occasionOf } from './occasions.ts'
import { isShownAt, locksOf, oneTabAtATime, shownAddresses, useShownAddress } from './shown-addresses.ts'
import { useMarkSeen, useUnseen, useUnseenCache } from './unseen.ts'

/**
 * Notifies the signed-in person of what happens elsewhere: by a toast in a visible tab, on the desktop when no tab is
 * visible, and in the list of the bell.
 */
export function useNotifier(personId: string): void {
  const client = useQueryClient()
  const toast = useToast()
  const [path, navigate] = useLocation()
  const search = useSearch()
  const address = search === '' ? path : `${path}?${search}`
  useShownAddress(personId, address)

  useEffect(() => {
    if (permissionNow() === 'default') void requestPermission()
  }, [])

  const unseen = useUnseen(personId)
  const unseenCache = useUnseenCache()
  const markSeen = useMarkSeen(personId)
  const markShown = useEffectEvent(() => {
    if (document.visibilityState === 'visible')
      markSeen(({ href, isSeenOnlyInList = false }) => !isSeenOnlyInList && isShownAt(address, href))
  })
  useEffect(() => {
    markShown()
    const follow = () => markShown()
    document.addEventListener('visibilitychange', follow)
    return () => document.removeEventListener('visibilitychange', follow)
  }, [personId, address, unseen])

  const show = async (occasion: Occasion) => {
    // A page without locks does not know of other tabs. A visible one receives the same event and is faster.
    if (isHidden() && locksOf() === undefined && permissionNow() !== 'granted') await delay(visibleTabMs)
    if ((await duty(personId, occasion)) === 'none') return
    // Before the lock: the answer of the server may take long, and other tabs would wait.
    const title = await titleOf(client, occasion)
    await oneTabAtATime(personId, async () => {
      const wanted = await duty(personId, occasion)
      if (wanted !== 'none') tell(occasion, title, wanted)
    })
  }

  const tell = (occasion: Occasion, title: string, wanted: 'note' | 'tell') => {
    const { id, body, timestamp, href, isOnServer, isFrequent = false } = occasion
    const isKnown = notificationsOf(personId).some((kept) => kept.id === id && !kept.isRead)
    keepNotification(personId, { id, title, body, timestamp, href, isRead: wanted === 'note', isOnServer })
    const isOld = serverNow() - Date.parse(timestamp) > freshMs
    if (wanted === 'note' || isOld || (isFrequent && isKnown)) return
    const open = () => navigate(href)
    if (isHidden()) showOnDesktop({ id, title, body, onPress: open })
    else toast({ title, description: body, action: { label: 'Open', onPress: open } })
  }

  const handle = async (event: LiveEvent<InboxEvents>) => {
    if (event.type === 'friend.removed')
      return removeNotification(personId, friendThing(event.data.friendUserId))
    if (event.type === 'messages.read') {
      const { friendUserId, unreadCount } = event.data
      if (unreadCount === 0) markNotificationsRead(personId, ({ id }) => id === friendThing(friendUserId))
      return
    }
    const occasion = occasionOf(event, personId)
    if (occasion !== undefined) await show(occasion)
  }

  // One event after the other: a message may be followed by the news that it was read on another device.
  const handled = useRef(Promise.resolve())
  useLive({
    kind: inboxTopics,
    ids: [personId],
    personId,
    onEvent: (event) => {
      if (changesUnseen.some((type) => type === event.type)) unseenCache.refetch()
      handled.current = handled.current
        .then(() => handle(event))
        .catch((failure: unknown) => console.error('Failed to notify of an event', failure))
    },
  })
}

/**
 * After these events the unseen notifications are fetched again. A removed friend has no notifications any more. After
 * `friends.changed`, and after a gap in the stream, all lists are fetched again anyway.
 */
const changesUnseen = [...listedEvents, 'notifications.seen', 'friend.removed']
/** Older events, as after the sleep of a computer, only come into the list. */
const freshMs = 60_000
/** How long a hidden tab without locks waits for a visible one. */
const visibleTabMs = 1000

const isHidden = () => document.visibilityState === 'hidden'
const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * What this tab does about an event: it tells the person, or only notes in the list that the person has seen the thing, or
 * does nothing.
 */
async function duty(personId: string, occasion: Occasion): Promise<'tell' | 'note' | 'none'> {
  const addresses = await shownAddresses(personId)
  // Another tab may have ended the session meanwhile, and removed the list from this browser (S48).
  if (readKey('userId') !== personId || !isNewNotification(personId, occasion)) return 'none'
  // News of a room come again with the same time. Messages do not, and fill no place of the list.
  if (addresses.some((shown) => isShownAt(shown, occasion.href))) return occasion.isFrequent ? 'note' : 'none'
  // A visible tab receives the same event.
  return isHidden() && addresses.length > 0 ? 'none' : 'tell'
}

/** A friend with a new message is among the first of the list. */
const askedFriends = 20

async function titleOf(client: QueryClient, { title }: Occasion): Promise<string> {
  if (typeof title === 'string') return title
  const isFriend = ({ id }: ListedFriend) => id === title.friendId
  const known = client.getQueryData<ListedFriend[]>(queryKeyOf(listFriends))?.find(isFriend)
  const friend = known ?? (await listNewestFriends()).find(isFriend)
  return friend === undefined ? 'A friend' : friendName(friend)
}

async function listNewestFriends(): Promise<ListedFriend[]> {
  try {
    return await send(listFriends, { query: { limit: String(askedFriends) } })
  } catch (failure) {
    console.error('Failed to load the name of a friend', failure)
    return []
  }
}
