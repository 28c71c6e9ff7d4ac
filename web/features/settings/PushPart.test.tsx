import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deletePushDevice, getPushDevice, savePushDevice } from '#contract/push/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { PushPart } from './PushPart.tsx'

const server = startTestPage()

/** The browser of the person, and what the page asked it to do. */
const browser = {
  permission: 'default' as NotificationPermission,
  answer: 'granted' as NotificationPermission,
  did: [] as string[],
  refuses: false,
  subscription: undefined as object | undefined,
}
const aSubscription = {
  unsubscribe: async () => {
    browser.did.push('unsubscribe')
    browser.subscription = undefined
  },
  toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: 'key', auth: 'secret' } }),
}
const registration = {
  pushManager: {
    getSubscription: async () => browser.subscription,
    subscribe: async (options: { userVisibleOnly: boolean; applicationServerKey: string }) => {
      const { userVisibleOnly, applicationServerKey } = options
      if (browser.refuses) throw new DOMException('Registration failed - push service error', 'AbortError')
      browser.did.push(`subscribe with ${applicationServerKey}, visible ${userVisibleOnly}`)
      return (browser.subscription = aSubscription)
    },
  },
}

beforeEach(() => {
  Object.assign(browser, { permission: 'default', answer: 'granted', did: [], refuses: false })
  browser.subscription = undefined
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('Notification', {
    get permission() {
      return browser.permission
    },
    requestPermission: async () => {
      browser.did.push('ask')
      return (browser.permission = browser.answer)
    },
  })
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: {
      register: async () => registration,
      ready: Promise.resolve(registration),
      getRegistration: async () => registration,
    },
  })
})
afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker')
  Reflect.deleteProperty(navigator, 'standalone')
})

async function open(endpoint: string | null = null) {
  server.on(getPushDevice, { publicKey: 'our key', endpoint })
  show(<PushPart />, { user: ana })
  return screen.findByRole('switch', { name: 'Notify me on this device' })
}
const press = async (control: HTMLElement) => act(async () => control.click())
const isOn = () => screen.getByRole('switch').getAttribute('aria-checked') === 'true'

test('a person turns the notifications of a device on by a press, and the browser asks only then [REACH-07]', async () => {
  const control = await open()
  expect(isOn()).toBe(false)
  expect(browser.did).toEqual([])
  server.on(savePushDevice, done)
  server.on(getPushDevice, { publicKey: 'our key', endpoint: 'https://push.example/1' })
  await press(control)
  await waitFor(() => expect(server.changes).toEqual(['PUT /api/me/push-device']))
  expect(browser.did).toEqual(['ask', 'subscribe with our key, visible true'])
  await waitFor(() => expect(isOn()).toBe(true))
  expect(screen.getByRole('status').textContent).toBe('')
})

test('a subscription of somebody before on this device is ended first [REACH-07]', async () => {
  browser.subscription = aSubscription
  const control = await open()
  server.on(savePushDevice, done)
  await press(control)
  await waitFor(() => expect(server.changes).toHaveLength(1))
  expect(browser.did).toEqual(['ask', 'unsubscribe', 'subscribe with our key, visible true'])
})

test('a person turns the notifications off, and the subscription of the browser ends [REACH-07]', async () => {
  Object.assign(browser, { permission: 'granted', subscription: aSubscription })
  const control = await open('https://push.example/1')
  expect(isOn()).toBe(true)
  server.on(deletePushDevice, done)
  server.on(getPushDevice, { publicKey: 'our key', endpoint: null })
  await press(control)
  await waitFor(() => expect(browser.did).toEqual(['unsubscribe']))
  expect(server.changes).toEqual(['DELETE /api/me/push-device'])
  await waitFor(() => expect(isOn()).toBe(false))
})

test('a person who blocks the question reads how to allow notifications, and nothing is sent [REACH-07]', async () => {
  browser.answer = 'denied'
  await press(await open())
  expect(await screen.findByText(/^This browser blocks notifications of Z!mmer/)).toBeTruthy()
  expect(server.changes).toEqual([])
})

test('a person who closes the question reads that notifications are not allowed [REACH-07]', async () => {
  browser.answer = 'default'
  await press(await open())
  expect(screen.getByRole('status').textContent).toBe('The browser has not allowed notifications.')
  expect(isOn()).toBe(false)
  expect(server.changes).toEqual([])
})

test('a push service that the browser does not reach leaves the switch off and says so [REACH-07]', async () => {
  browser.refuses = true
  await press(await open())
  expect(screen.getByRole('status').textContent).toMatch(/^This browser did not reach its push service/)
  expect(isOn()).toBe(false)
  expect(server.changes).toEqual([])
})

test('a device that the server does not store is not subscribed either [REACH-07]', async () => {
  const control = await open()
  server.refuse(savePushDevice, 'TooManyRequests')
  await press(control)
  await waitFor(() => expect(browser.did.at(-1)).toBe('unsubscribe'), { timeout: 20_000 })
  expect(screen.getByRole('status').textContent).toMatch(/a little too often/)
  await waitFor(() => expect(isOn()).toBe(false))
}, 30_000)

test.each([
  ['without pushes', undefined, 'This browser cannot notify you while Z!mmer is closed.'],
  ['that shows a page of an iPhone', false, /^To be notified on this device, add Z!mmer to the home screen/],
])('a browser %s has no switch, and a sentence says why [REACH-07]', async (_what, standalone, sentence) => {
  vi.stubGlobal('PushManager', undefined)
  Reflect.deleteProperty(globalThis, 'PushManager')
  if (standalone !== undefined)
    Object.defineProperty(navigator, 'standalone', { configurable: true, value: standalone })
  show(<PushPart />, { user: ana })
  expect(await screen.findByText(sentence)).toBeTruthy()
  expect(screen.queryByRole('switch')).toBeNull()
})

test('a setting that could not be loaded is offered again [REACH-07]', async () => {
  server.refuse(getPushDevice, 'Unexpected')
  show(<PushPart />, { user: ana })
  expect(await screen.findByText('This setting could not be loaded.', {}, { timeout: 10_000 })).toBeTruthy()
})
