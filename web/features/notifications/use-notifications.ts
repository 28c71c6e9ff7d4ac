import {
  type DeviceNotifications,
  deviceNotificationsMax,
  useNotificationsOfDevice,
} from './notifications-of-device.ts'
import { type Unseen, useUnseen } from './unseen.ts'

/**
 * The list of the bell, newest first, with one place for each thing: the latest ten, and all that the person has not seen,
 * also what came while no device was there.
 */
export function useNotifications(personId: string): DeviceNotifications {
  const kept = useNotificationsOfDevice(personId)
  const unseen = useUnseen(personId)
  return unseen === undefined ? kept : withUnseen(kept, unseen)
}

function withUnseen(kept: DeviceNotifications, unseen: readonly Unseen[]): DeviceNotifications {
  // The person has seen a listed thing on another device when the server keeps it no more.
  const things = new Map(kept.map((each) => [each.id, each.isOnServer ? { ...each, isRead: true } : each]))
  for (const { id, title, body, reason = null, timestamp, href } of unseen) {
    const known = things.get(id)
    const isKnownNewer = known !== undefined && known.timestamp >= timestamp
    const newest = isKnownNewer ? known : { id, title, body, reason, timestamp, href, isOnServer: true }
    things.set(id, { ...newest, isRead: false })
  }
  return [...things.values()]
    .toSorted((one, other) => (one.timestamp < other.timestamp ? 1 : -1))
    .filter(({ isRead }, place) => place < deviceNotificationsMax || !isRead)
}
