import type { PageMessage } from '#contract/app/pages.ts'
import { type PushContent, pushDevicePath } from '#contract/push/path.ts'

// Pushes of the server, as notifications of the device.

declare const self: ServiceWorkerGlobalScope

export function handlePushes(): void {
  self.addEventListener('push', (event) => event.waitUntil(show(event.data!.json() as PushContent)))
  self.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(open((event.notification.data as PushContent).path))
  })
  self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)))
}

/** Every push shows a notification: Safari ends a subscription whose pushes show none. */
async function show(content: PushContent) {
  const { title, topic } = content
  await self.registration.showNotification(title, { tag: topic, icon: '/icon.svg', data: content })
  // A page that the person sees notifies by itself.
  if (!(await listPages()).some(({ visibilityState }) => visibilityState === 'visible')) return
  for (const shown of await self.registration.getNotifications({ tag: topic })) shown.close()
}

const listPages = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true })

/** Opens an address of our own, in an open page if there is one: the page keeps what was typed in it. */
async function open(path: string) {
  const { origin, pathname, search, hash } = new URL(path, location.origin)
  if (origin !== location.origin) return
  const [page] = await listPages()
  if (page === undefined) return void (await self.clients.openWindow(pathname + search + hash))
  page.postMessage({ open: pathname + search + hash } satisfies PageMessage)
  await page.focus()
}

/** The push service of the browser has ended the subscription: subscribes again with the same key. */
async function renew(event: Event) {
  const { oldSubscription, newSubscription } = event as PushSubscriptionChangeEvent
  const options = oldSubscription?.options
  const subscription =
    newSubscription ?? (options && (await self.registration.pushManager.subscribe(options)))
  if (!subscription) return
  const { endpoint, keys } = subscription.toJSON()
  const answer = await fetch(pushDevicePath, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint, ...keys }),
  })
  // The person has logged out.
  if (answer.status === 401) await subscription.unsubscribe()
}

/** TypeScript does not know it yet. */
interface PushSubscriptionChangeEvent extends Event {
  oldSubscription: PushSubscription | null
  newSubscription: PushSubscription | null
}
