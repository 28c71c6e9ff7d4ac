import { getPushDevice } from '#contract/push/endpoints.ts'
import { examine } from './examine.ts'
import { observeWorker, subscribeAt, toggle } from './push-browser.ts'
import { expect, shareSession, test } from './test.ts'

test.use({ serviceWorkers: 'allow' })

/** A public key and a secret, as in RFC 8291. */
const keys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}
test('a person turns the notifications of a device on and off in the settings [REACH-07]', async ({
  page,
  app,
  context,
}) => {
  await subscribeAt(context, { endpoint: 'https://push.example/of-ana', ...keys })
  const ana = await app.signUp()
  await shareSession(page, ana)
  await page.goto('/settings#part-notifications')
  await expect(toggle(page)).not.toBeChecked()
  await examine(page, 'Notifications', page.locator('#part-notifications'))
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

const turn = { kind: 'turn', title: 'It is your turn in a room', path: '/calendar', topic: 'room-1' }
const shows = (topic: string) => `shows ${topic}: It is your turn in a room, no text`

test('a push is shown with its title alone, and closed at once when the person sees a page; a press on it opens its address in the open page or a new one, and no other site; a new address of the push service is sent [REACH-07]', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  await shareSession(page, ana)
  await page.goto('/dashboard')
  const { deliver, done, press, forgetPages, worker } = await observeWorker(page)
  await deliver(turn)
  await expect.poll(done).toEqual([shows('room-1'), 'closes room-1'])
  await deliver({ ...turn, path: 'https://elsewhere.example/', topic: 'foreign' })
  await expect.poll(done).toHaveLength(4)
  await press('foreign')
  await press('room-1')
  await page.waitForURL('**/calendar')
  await expect(page.getByRole('heading', { level: 1, name: 'Calendar' })).toBeVisible()
  await forgetPages()
  await deliver({ ...turn, topic: 'room-2' })
  await expect.poll(done).toContain(shows('room-2'))
  expect(await done()).not.toContain('closes room-2')
  await press('foreign')
  await press('room-1')
  await expect.poll(done).toContain('opens /calendar')
  expect((await done()).filter((each) => each.startsWith('opens'))).toEqual(['opens /calendar'])

  await worker.evaluate((ownKeys) => {
    const newSubscription = { toJSON: () => ({ endpoint: 'https://push.example/new', keys: ownKeys }) }
    const event = new Event('pushsubscriptionchange')
    self.dispatchEvent(Object.assign(event, { oldSubscription: null, newSubscription, waitUntil: () => {} }))
  }, keys)
  await expect
    .poll(async () => (await ana.client.does(getPushDevice)).endpoint)
    .toBe('https://push.example/new')
})
