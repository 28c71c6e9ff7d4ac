import { registerServiceWorker } from '#web/lib/workers.ts'

/** Whether this browser can get pushes. 'home-screen': only once the page is on the home screen, as on an iPhone. */
export function pushSupport(): 'yes' | 'no' | 'home-screen' | 'blocked' {
  // None of these is there over plain http.
  const isThere = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
  // Only Safari on iPhones and iPads says whether the page was opened from the home screen.
  if (!isThere) return 'standalone' in navigator && navigator.standalone === false ? 'home-screen' : 'no'
  return Notification.permission === 'denied' ? 'blocked' : 'yes'
}

export const areNotificationsPermitted = (): boolean =>
  pushSupport() === 'yes' && Notification.permission === 'granted'

/** The installation of a worker takes seconds. One that fails is never ready. */
const readyWithinMs = 20_000

/** Subscribes at the push service of the browser. Call this only for a press of the person: the browser may ask. */
export async function subscribeToPushes(publicKey: string) {
  const registration = await readyRegistration()
  // A subscription of somebody who used this browser before has other keys.
  await (await registration.pushManager.getSubscription())?.unsubscribe()
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  })
  const { endpoint, keys } = subscription.toJSON()
  return { endpoint: endpoint!, p256dh: keys!['p256dh']!, auth: keys!['auth']! }
}

/** Ends the subscription of this browser, if there is one. */
export async function unsubscribeFromPushes(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration()
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}

async function readyRegistration() {
  await registerServiceWorker()
  const tooLate = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('The service worker is not ready')), readyWithinMs)
  })
  return Promise.race([navigator.serviceWorker.ready, tooLate])
}
