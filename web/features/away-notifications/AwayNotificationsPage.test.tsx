import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { changeChoicesOfLink, findAwayNotificationLink } from '#contract/away-notifications/endpoints.ts'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { AwayNotificationsPage } from './AwayNotificationsPage.tsx'
import { someChoices } from './testing.ts'

const server = startTestPage()

function open({ mayChange = true, at = '/notices#a-token' } = {}) {
  const choices = { ...someChoices }
  server.on(findAwayNotificationLink, { choices, mayChange })
  server.on(changeChoicesOfLink, ({ input }) =>
    Object.assign(choices, (input as { changes: object }).changes),
  )
  show(<AwayNotificationsPage />, { at, user: null, settings: { sendsMail: true } })
}

const sent = () => server.inputs(changeChoicesOfLink)

test('a person switches all mails off by one press, without signing in; the token is sent in the body alone [REACH-05 S57]', async () => {
  open()
  expect(await screen.findByRole('button', { name: 'Switch all mails off' })).toBeTruthy()
  expect(server.requests).toEqual(['POST /api/notice-links/lookups'])
  expect(sent()).toEqual([])
  press('Switch all mails off')
  const title = await screen.findByRole('heading', { level: 1, name: 'All mails are off' })
  expect(document.activeElement).toBe(title)
  expect(sent()).toEqual([{ token: 'a-token', changes: { byMail: false } }])
  expect(screen.getByRole('switch', { name: 'Mails' }).getAttribute('aria-checked')).toBe('false')
})

test('a person changes single choices on the page of the link [REACH-05]', async () => {
  open()
  fireEvent.click(await screen.findByRole('switch', { name: 'Messages while you are away' }))
  await waitFor(() => expect(sent()).toEqual([{ token: 'a-token', changes: { messages: false } }]))
})

test('the link of a mail program offers nothing but to switch all mails off [REACH-05 S57]', async () => {
  open({ mayChange: false })
  expect(await screen.findByRole('button', { name: 'Switch all mails off' })).toBeTruthy()
  expect(screen.queryByRole('switch')).toBeNull()
})

test.each(['refused', 'missing'])('a person whose link is %s reads so [REACH-05]', async (kind) => {
  server.refuse(findAwayNotificationLink, 'NoticeLinkNotFound')
  show(<AwayNotificationsPage />, { at: kind === 'missing' ? '/notices' : '/notices#a-token', user: null })
  expect(await screen.findByRole('heading', { level: 1, name: 'This link is no longer good' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Go to the feed' }).getAttribute('href')).toBe('/dashboard')
  expect(server.requests).toHaveLength(kind === 'missing' ? 0 : 1)
})

test('a person without a connection reads so, and presses again [REACH-05]', async () => {
  open()
  server.disconnect(changeChoicesOfLink)
  fireEvent.click(await screen.findByRole('button', { name: 'Switch all mails off' }))
  expect(
    await screen.findByText(
      'That did not work. Check the connection and try again.',
      {},
      { timeout: 10_000 },
    ),
  ).toBeTruthy()
  server.on(changeChoicesOfLink, { ...someChoices, byMail: false })
  press('Switch all mails off')
  expect(await screen.findByText('All mails are off')).toBeTruthy()
})
