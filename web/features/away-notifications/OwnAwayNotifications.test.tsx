import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { AwayNotificationChoices } from '#contract/away-notifications/choices.ts'
import {
  changeAwayNotificationChoices,
  getAwayNotificationChoices,
} from '#contract/away-notifications/endpoints.ts'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { OwnAwayNotifications } from './OwnAwayNotifications.tsx'
import { someChoices } from './testing.ts'

const server = startTestPage()

function open(choices: Partial<AwayNotificationChoices> = {}) {
  const stored = { ...someChoices, ...choices }
  server.on(getAwayNotificationChoices, stored)
  server.on(changeAwayNotificationChoices, ({ input }) => Object.assign(stored, input))
  show(<OwnAwayNotifications />, { user: ana, settings: { sendsMail: true } })
}

const find = (name: string) => screen.findByRole('switch', { name })
const isOn = async (name: string) => (await find(name)).getAttribute('aria-checked') === 'true'
const sent = () => server.inputs(changeAwayNotificationChoices)

test('a person switches each kind of away notification on and off [REACH-04]', async () => {
  open()
  const kinds = [
    ['Mails', { byMail: false }],
    ['Invitations and new friends', { invitations: false }],
    ['Messages while you are away', { messages: false }],
    ['Decisions about your posts', { decisions: false }],
    ['Your turns in slow tables', { turns: false }],
  ] as const
  for (const [name, changes] of kinds) {
    expect(await isOn(name)).toBe(true)
    fireEvent.click(await find(name))
    expect(await isOn(name)).toBe(false)
    await waitFor(() => expect(sent().at(-1)).toEqual(changes))
  }
  expect(await isOn('Weekly digest')).toBe(false)
  fireEvent.click(await find('Weekly digest'))
  await waitFor(() => expect(sent().at(-1)).toMatchObject({ weekly: true }))
})

test('a person chooses quiet hours and one mail a day, in the time zone of the browser [REACH-09]', async () => {
  open()
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  fireEvent.click(await find('Quiet hours'))
  await waitFor(() => expect(sent()).toEqual([{ quietHours: { from: 22, to: 7 }, timeZone }]))
  fireEvent.change(screen.getByLabelText('Until'), { target: { value: '9' } })
  await waitFor(() => expect(sent().at(-1)).toEqual({ quietHours: { from: 22, to: 9 }, timeZone }))
  const hours = Array.from(screen.getByLabelText<HTMLSelectElement>('From').options, ({ value }) => value)
  expect(hours).toHaveLength(23)
  expect(hours).not.toContain('9')
  fireEvent.click(await find('One mail a day'))
  fireEvent.change(screen.getByLabelText('At'), { target: { value: '18' } })
  await waitFor(() => expect(sent().at(-1)).toEqual({ digestHour: 18, timeZone }))
  fireEvent.click(await find('Quiet hours'))
  await waitFor(() => expect(sent().at(-1)).toEqual({ quietHours: null, timeZone }))
  expect(screen.queryByLabelText('From')).toBeNull()
})

test('a choice that cannot be saved is shown as it is stored, and the person reads so [REACH-04]', async () => {
  open()
  server.refuse(changeAwayNotificationChoices, 'TooManyRequests')
  fireEvent.click(await find('Mails'))
  expect(await screen.findByText('This choice could not be saved, so it has not changed.')).toBeTruthy()
  await waitFor(async () => expect(await isOn('Mails')).toBe(true))
})

test('a person without a connection reads so, and tries again [REACH-04]', async () => {
  server.disconnect(getAwayNotificationChoices)
  show(<OwnAwayNotifications />, { user: ana, settings: { sendsMail: true } })
  await screen.findByRole('button', { name: 'Try again' }, { timeout: 10_000 })
  server.on(getAwayNotificationChoices, someChoices)
  press('Try again')
  expect(await isOn('Mails')).toBe(true)
})

test('where no mails are sent, a person chooses the kinds and quiet hours of pushes, and finds nothing about mails [REACH-01 REACH-07 REACH-09]', async () => {
  const stored = { ...someChoices, digestHour: 8, weekly: true }
  server.on(getAwayNotificationChoices, stored)
  server.on(changeAwayNotificationChoices, ({ input }) => Object.assign(stored, input))
  show(<OwnAwayNotifications />, { user: ana })
  fireEvent.click(await find('Messages while you are away'))
  await waitFor(() => expect(sent()).toEqual([{ messages: false }]))
  fireEvent.click(await find('Quiet hours'))
  await waitFor(() => expect(sent().at(-1)).toMatchObject({ quietHours: { from: 22, to: 7 } }))
  expect(
    screen.getAllByRole('switch').map((each) => each.getAttribute('aria-label') ?? each.textContent),
  ).toHaveLength(5)
  expect(document.body.textContent).not.toMatch(/mail|digest/i)
})
