import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { listNotifications, markNotificationsSeen } from '#contract/inbox/endpoints.ts'
import type { Notification } from '#contract/inbox/notification.ts'
import { queryKeyOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { markNotificationsRead } from './notifications-of-device.ts'
import { type Occasion, occasionOf } from './occasions.ts'

/** A notification that the server keeps until the person has seen it, with what the page says about it. */
export interface Unseen extends Occasion {
  notificationId: string
  title: string
}

/** What the person has not seen on any device, newest first; undefined until the server has answered. */
export function useUnseen(personId: string): Unseen[] | undefined {
  const { data } = useEndpoint(listNotifications)
  return useMemo(() => data?.flatMap((notification) => unseenOf(notification, personId)), [data, personId])
}

function unseenOf({ id: notificationId, ...event }: Notification, personId: string): Unseen[] {
  const occasion = occasionOf(event, personId)
  // Only a message has the id of a friend as its title.
  if (occasion === undefined || typeof occasion.title !== 'string') return []
  return [{ ...occasion, title: occasion.title, notificationId }]
}

export function useUnseenCache() {
  const client = useQueryClient()
  const queryKey = queryKeyOf(listNotifications)
  return {
    refetch: () => void readAgain(client, { queryKey }),
    remove: (ids: string[]) =>
      client.setQueryData<Notification[]>(queryKey, (known) => known?.filter(({ id }) => !ids.includes(id))),
  }
}

/** Marks the things as seen for which `isFor` returns true: on this device at once, and then on all devices of the person. */
export function useMarkSeen(personId: string) {
  const unseen = useUnseen(personId)
  const cache = useUnseenCache()
  const { run } = useAction(markNotificationsSeen, { refreshes: [listNotifications] })
  return (isFor: (thing: Pick<Occasion, 'id' | 'href' | 'isSeenOnlyInList'>) => boolean) => {
    markNotificationsRead(personId, isFor)
    const ids = (unseen ?? []).filter(isFor).map(({ notificationId }) => notificationId)
    if (ids.length === 0) return
    cache.remove(ids)
    run({ input: { ids } }).catch((failure: unknown) => {
      console.error('Failed to mark notifications as seen', failure)
      cache.refetch()
    })
  }
}
