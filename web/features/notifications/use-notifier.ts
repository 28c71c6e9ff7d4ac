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
import { readKey } from '#web/lib/session-keys.ts'
import { useToast } from '#web/ui/toasts.tsx'
import { permissionNow, requestPermission, showOnDesktop } from './desktop.ts'
import {
  removeNotification,
  isNewNotification,
  addNotification,
  notificationsOf,
  markNotificationsRead,
} from './notifications-of-device.ts'
import { friendThingId, type Occasion, occasionOf, postThingId } from './occasions.ts'
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

  const notify = async (occasion: Occasion) => {
    // A hidden tab without locks does not know the other tabs. Wait, so that a visible tab, which is faster, notifies.
    if (isHidden() && locksOf() === undefined && permissionNow() !== 'granted') await delay(visibleTabMs)
    if ((await reactionTo(personId, occasion)) === 'none') return
    // Load the title before the lock: the answer of the server may take long, and other tabs would wait.
    const title = await titleOf(client, occasion)
    await oneTabAtATime(personId, async () => {
      // Another tab may have notified meanwhile.
      const reaction = await reactionTo(personId, occasion)
      if (reaction !== 'none') react(occasion, title, reaction)
    })
  }

  const react = (occasion: Occasion, title: string, reaction: 'list' | 'notify') => {
    const { id, body, reason = null, timestamp, href, isOnServer, isFrequent = false } = occasion
    const isKnown = notificationsOf(personId).some((kept) => kept.id === id && !kept.isRead)
    const isRead = reaction === 'list'
    addNotification(personId, { id, title, body, reason, timestamp, href, isRead, isOnServer })
    const isOld = serverNow() - Date.parse(timestamp) > freshMs
    if (reaction === 'list' || isOld || (isFrequent && isKnown)) return
    const open = () => navigate(href)
    if (isHidden()) showOnDesktop({ id, title, body, onPress: open })
    else toast({ title, description: body, action: { label: 'Open', onPress: open } })
  }

  const handle = async (event: LiveEvent<InboxEvents>) => {
    if (event.type === 'friend.removed')
      return removeNotification(personId, friendThingId(event.data.friendUserId))
    if (event.type === 'messages.read') {
      const { friendUserId, unreadCount } = event.data
      if (unreadCount === 0) markNotificationsRead(personId, ({ id }) => id === friendThingId(friendUserId))
      return
    }
    // Earlier notifications of the post have its first line.
    if (event.type === 'post.erased') removeNotification(personId, postThingId(event.data.id))
    const occasion = occasionOf(event, personId)
    if (occasion !== undefined) await notify(occasion)
  }

  // Handle one event after the other: `messages.read` must not overtake the message that was read on another device.
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
/** Older events, such as those after the sleep of a computer, are only added to the list. */
const freshMs = 60_000
/** How long a hidden tab without locks waits for a visible one. */
const visibleTabMs = 1000

const isHidden = () => document.visibilityState === 'hidden'
const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * What this tab does about an event. 'notify' adds it to the list, and shows a toast or a desktop notification. 'list' only
 * adds it to the list, as read, because the person sees the thing.
 */
async function reactionTo(personId: string, occasion: Occasion): Promise<'notify' | 'list' | 'none'> {
  const addresses = await shownAddresses(personId)
  // Another tab may have ended the session meanwhile, and removed the list from this browser (S48).
  if (readKey('userId') !== personId || !isNewNotification(personId, occasion)) return 'none'
  // A frequent event may arrive again with the same time: in the list it is no longer new. Other events arrive once.
  if (addresses.some((shown) => isShownAt(shown, occasion.href))) return occasion.isFrequent ? 'list' : 'none'
  // A visible tab receives the same event and notifies.
  return isHidden() && addresses.length > 0 ? 'none' : 'notify'
}

/** A friend with a new message is among the first friends of the list. */
const newestFriends = 20

async function titleOf(client: QueryClient, { title }: Occasion): Promise<string> {
  if (typeof title === 'string') return title
  const isFriend = ({ id }: ListedFriend) => id === title.friendId
  const known = client.getQueryData<ListedFriend[]>(queryKeyOf(listFriends))?.find(isFriend)
  const friend = known ?? (await listNewestFriends()).find(isFriend)
  return friend === undefined ? 'A friend' : friendName(friend)
}

async function listNewestFriends(): Promise<ListedFriend[]> {
  try {
    return await send(listFriends, { query: { limit: String(newestFriends) } })
  } catch (failure) {
    console.error('Failed to load the name of a friend', failure)
    return []
  }
}
