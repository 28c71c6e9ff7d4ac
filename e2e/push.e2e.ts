import type { BrowserContext, Page } from '@playwright/test'
import { getPushDevice } from '#contract/push/endpoints.ts'
import type { PushContent } from '#contract/push/path.ts'
import { examine } from './examine.ts'
import { expect, shareSession, signIn, test } from './test.ts'

// Chromium subscribes at the service of its maker, which no test reaches. So the browser of the switch has a subscription of
// the test, and pushes are delivered to the real worker by the protocol of the developer tools.

test.use({ serviceWorkers: 'allow' })

/** A public key and a secret, as in RFC 8291. */
const keys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}
/** What the tests change of a worker. */
interface WorkerScope {
  registration: Pick<ServiceWorkerRegistration, 'showNotification' | 'getNotifications'>
  clients: { openWindow(url: string): Promise<null>; matchAll(): Promise<never[]> }
}

const toggle = (page: Page) => page.getByRole('switch', { name: 'Notify me on this device' })

/** A browser that permits notifications once it was asked, and subscribes at no real service. */
async function subscribeAt(context: BrowserContext, endpoint: string) {
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

test('a person turns the notifications of a device on and off in the settings [REACH-07]', async ({
  page,
  app,
  context,
}) => {
  await subscribeAt(context, 'https://push.example/of-ana')
  const ana = await app.signUp()
  await shareSession(page, ana)
  await page.goto('/settings')
  await expect(toggle(page)).not.toBeChecked()
  await examine(page, 'Notifications')
  await toggle(page).press('Enter')
  await expect(toggle(page)).toBeChecked()
  await expect
    .poll(async () => (await ana.client.does(getPushDevice)).endpoint)
    .toBe('https://push.example/of-ana')
  await page.reload()
  await expect(toggle(page)).toBeChecked()
  await toggle(page).click()
  await expect(toggle(page)).not.toBeChecked()
  await expect.poll(async () => (await ana.client.does(getPushDevice)).endpoint).toBeNull()
})

/** A page with the real worker, which writes down what it shows: a browser without windows shows no notification. */
async function startWorker(page: Page) {
  await page.goto('/dashboard')
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
    /** From now on the worker finds no page. */
    forgetPages: () =>
      worker.evaluate(() => {
        const { clients } = self as unknown as WorkerScope
        clients.matchAll = async () => []
      }),
  }
}

const turn = { kind: 'turn', title: 'It is your turn in a room', path: '/calendar', topic: 'room-1' }
const shows = (topic: string) => `shows ${topic}: It is your turn in a room, no text`

test('a push is shown with its title alone, and closed at once when the person sees a page [REACH-07]', async ({
  page,
  app,
}) => {
  await signIn(page, await app.signUp())
  const { deliver, done, forgetPages } = await startWorker(page)
  await deliver(turn)
  await expect.poll(done).toEqual([shows('room-1'), 'closes room-1'])
  await forgetPages()
  await deliver({ ...turn, topic: 'room-2' })
  await expect.poll(done).toEqual([shows('room-1'), 'closes room-1', shows('room-2')])
})

test('a press on a notification opens its address in the open page or a new one, and no other site [REACH-07]', async ({
  page,
  app,
}) => {
  await signIn(page, await app.signUp())
  const { deliver, done, press, forgetPages } = await startWorker(page)
  const foreign = { ...turn, path: 'https://elsewhere.example/', topic: 'foreign' }
  await deliver(foreign)
  await deliver(turn)
  await expect.poll(done).toHaveLength(4)
  await press('foreign')
  await press('room-1')
  await page.waitForURL('**/calendar')
  await expect(page.getByRole('heading', { level: 1, name: 'Calendar' })).toBeVisible()
  await forgetPages()
  await press('foreign')
  await press('room-1')
  await expect.poll(done).toContain('opens /calendar')
  expect((await done()).filter((each) => each.startsWith('opens'))).toEqual(['opens /calendar'])
})

test('a browser whose push service gives it another address says so by itself [REACH-07]', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  await shareSession(page, ana)
  const { worker } = await startWorker(page)
  await worker.evaluate((ownKeys) => {
    const newSubscription = { toJSON: () => ({ endpoint: 'https://push.example/new', keys: ownKeys }) }
    const event = new Event('pushsubscriptionchange')
    self.dispatchEvent(Object.assign(event, { oldSubscription: null, newSubscription, waitUntil: () => {} }))
  }, keys)
  await expect
    .poll(async () => (await ana.client.does(getPushDevice)).endpoint)
    .toBe('https://push.example/new')
})
