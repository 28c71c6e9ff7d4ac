import type { BrowserContext, Page, Worker } from '@playwright/test'
import type { InputOf } from '#contract/endpoint.ts'
import type { PushContent } from '#contract/push/path.ts'
import type { savePushDevice } from '#contract/push/endpoints.ts'

// Chromium subscribes at the service of its maker, which no test reaches. So the browser of a test has a subscription of the
// test, and pushes are delivered to the real worker by the protocol of the developer tools.

/** What the tests change of a worker. */
export interface WorkerScope {
  registration: Pick<ServiceWorkerRegistration, 'showNotification' | 'getNotifications'>
  clients: { openWindow(url: string): Promise<null>; matchAll(): Promise<never[]> }
}

type Subscription = InputOf<typeof savePushDevice>

export const toggle = (page: Page) => page.getByRole('switch', { name: 'Notify me on this device' })

/** A browser that permits notifications once it was asked, and subscribes at no real service. */
export async function subscribeAt(context: BrowserContext, { endpoint, ...keys }: Subscription) {
  await context.addInitScript(
    ([address, ownKeys]) => {
      let permission: NotificationPermission = sessionStorage.getItem('permitted') ? 'granted' : 'default'
      const ask = async () => {
        sessionStorage.setItem('permitted', 'true')
        return (permission = 'granted')
      }
      window.Notification = new Proxy(Notification, {
        get: (real, name) =>
          name === 'permission'
            ? permission
            : name === 'requestPermission'
              ? () => (navigator.userActivation.isActive ? ask() : Promise.resolve(permission))
              : Reflect.get(real, name),
      })
      PushManager.prototype.getSubscription = async () => null
      PushManager.prototype.subscribe = async () =>
        ({ toJSON: () => ({ endpoint: address, keys: ownKeys }) }) as unknown as PushSubscription
    },
    [endpoint, keys] as const,
  )
}

interface ObservedWorker {
  worker: Worker
  done: () => Promise<string[]>
  deliver: (content: PushContent) => Promise<unknown>
  press: (topic: string) => Promise<void>
  /** From now on the worker finds no page. */
  forgetPages: () => Promise<void>
}

/** The real worker of an open page, which writes down what it shows: a browser without windows shows no notification. */
export async function observeWorker(page: Page): Promise<ObservedWorker> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  const context = page.context()
  const protocol = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    protocol.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId)
    })
  })
  await protocol.send('ServiceWorker.enable')
  const registrationId = await registered
  const worker = context.serviceWorkers()[0]!
  await worker.evaluate(() => {
    const done: string[] = []
    const shown: Notification[] = []
    const { registration, clients } = self as unknown as WorkerScope
    registration.showNotification = async (title, options = {}) => {
      const { tag, body = 'no text' } = options
      done.push(`shows ${tag}: ${title}, ${body}`)
      shown.push({ ...options, close: () => done.push(`closes ${tag}`) } as unknown as Notification)
    }
    registration.getNotifications = async ({ tag } = {}) => shown.filter((each) => each.tag === tag)
    clients.openWindow = async (url) => {
      done.push(`opens ${url}`)
      return null
    }
    Object.assign(self, { done, shown })
  })
  const { origin } = new URL(page.url())
  return {
    worker,
    done: () => worker.evaluate(() => (self as unknown as { done: string[] }).done),
    deliver: (content: PushContent) =>
      protocol.send('ServiceWorker.deliverPushMessage', {
        origin,
        registrationId,
        data: JSON.stringify(content),
      }),
    press: (topic: string) =>
      worker.evaluate((tag) => {
        const { shown } = self as unknown as { shown: Notification[] }
        const notification = shown.find((each) => each.tag === tag)
        self.dispatchEvent(
          Object.assign(new Event('notificationclick'), { notification, waitUntil: () => {} }),
        )
      }, topic),
    forgetPages: () =>
      worker.evaluate(() => {
        const { clients } = self as unknown as WorkerScope
        clients.matchAll = async () => []
      }),
  }
}
