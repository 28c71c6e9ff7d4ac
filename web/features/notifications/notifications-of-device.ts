import { useSyncExternalStore } from 'react'
import { cached } from '#web/lib/cached.ts'
import { followStorage, personKey, storedJson, type StoredItem } from '#web/lib/storage.ts'
import { storedRow } from '#web/lib/stored-row.ts'

/** A notification in the list of the bell, as this device stores it. */
export interface DeviceNotification {
  /** Names the thing, such as a conversation. The list has one notification of each thing. */
  id: string
  title: string
  body: string
  /** Why an admin has decided so. */
  reason: string | null
  timestamp: string
  href: string
  isRead: boolean
  /** The server keeps it, too, until the person has seen it on some device. */
  isOnServer: boolean
}
export type DeviceNotifications = readonly DeviceNotification[]

export const deviceNotificationsMax = 10

const row = storedRow<DeviceNotification>({
  id: 'string',
  title: 'string',
  body: 'string',
  reason: 'string or null',
  timestamp: 'string',
  href: 'string',
  isRead: 'boolean',
  isOnServer: 'boolean',
})
/** Earlier versions have stored rows without `isOnServer` and `reason`. */
const schema = {
  parse: (stored: unknown): DeviceNotifications =>
    (stored as object[]).map((each) => row.parse({ isOnServer: false, reason: null, ...each })),
}
const none: DeviceNotifications = []

const items = new Map<string, StoredItem<DeviceNotifications>>()
const listeners = new Set<() => void>()

/** The notifications of a person on this device. All tabs share them, and log-out removes them (S48). */
const itemOf = (personId: string) =>
  cached(items, personId, () =>
    storedJson({ key: personKey('notifications', personId), schema, fallback: none }),
  )

/** The latest ten notifications of a person on this device, newest first. A component uses `useNotificationsOfDevice`. */
export const notificationsOf = (personId: string): DeviceNotifications => itemOf(personId).read()

/**
 * Whether the list takes a notification: the thing has no notification that is as new, and fewer than ten of other things
 * are newer. A second tab that is notified of the same event therefore learns that the first one was.
 */
export function isNewNotification(
  personId: string,
  { id, timestamp }: Pick<DeviceNotification, 'id' | 'timestamp'>,
): boolean {
  const kept = notificationsOf(personId)
  if (kept.some((other) => other.id === id && other.timestamp >= timestamp)) return false
  return kept.filter((other) => other.timestamp >= timestamp).length < deviceNotificationsMax
}

/** Adds a notification to the latest ten. It replaces an older one of the same thing. */
export function addNotification(personId: string, notification: DeviceNotification): void {
  const others = notificationsOf(personId).filter(({ id }) => id !== notification.id)
  const newestFirst = [...others, notification].toSorted((one, other) =>
    one.timestamp < other.timestamp ? 1 : -1,
  )
  write(personId, newestFirst.slice(0, deviceNotificationsMax))
}

export function removeNotification(personId: string, id: string): void {
  const kept = notificationsOf(personId)
  const others = kept.filter((each) => each.id !== id)
  if (others.length < kept.length) write(personId, others)
}

/** Marks the notifications as read for which `isFor` returns true. */
export function markNotificationsRead(
  personId: string,
  isFor: (notification: DeviceNotification) => boolean,
): void {
  const kept = notificationsOf(personId)
  if (!kept.some((each) => !each.isRead && isFor(each))) return
  write(
    personId,
    kept.map((each) => (isFor(each) ? { ...each, isRead: true } : each)),
  )
}

function write(personId: string, kept: DeviceNotifications) {
  itemOf(personId).write(kept)
  listeners.forEach((listener) => listener())
}

/** Renders again when a notification of this device is added, removed or read, in this tab or in another one. */
export const useNotificationsOfDevice = (personId: string): DeviceNotifications =>
  useSyncExternalStore(subscribe, () => notificationsOf(personId))

function subscribe(listener: () => void) {
  listeners.add(listener)
  const unfollow = followStorage(listener)
  return () => {
    listeners.delete(listener)
    unfollow()
  }
}
