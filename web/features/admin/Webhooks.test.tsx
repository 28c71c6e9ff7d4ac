import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { done } from '#contract/schemas.ts'
import {
  createWebhook,
  deleteWebhook,
  listWebhookAttempts,
  listWebhooks,
  retryDelivery,
  type Webhook,
  type WebhookAttempt,
} from '#contract/webhooks/endpoints.ts'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { Webhooks } from './Webhooks.tsx'

const server = startTestPage()

const idOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`
const hook: Webhook = {
  id: idOf(1),
  url: 'https://reader.example/hook',
  events: ['post.published', 'story.finished'],
  createdAt: '2025-06-01T12:00:00.000Z',
  waiting: 2,
}
const attempt: WebhookAttempt = {
  id: idOf(10),
  deliveryId: idOf(20),
  event: 'post.published',
  subjectId: idOf(30),
  at: '2025-06-10T08:00:00.000Z',
  status: 500,
  failure: null,
  isDelivered: false,
  nextAt: '2025-06-10T08:30:00.000Z',
}
const boss = { ...ana, isAdmin: true }
const open = (...listed: Webhook[]) => {
  server.on(listWebhooks, listed)
  show(<Webhooks />, { user: boss })
}
const card = async () => within(await screen.findByRole('region', { name: hook.url }))
async function openAttempts(...listed: WebhookAttempt[]) {
  open(hook)
  server.on(listWebhookAttempts, listed)
  fireEvent.click((await card()).getByRole('button', { name: 'Last attempts' }))
  return within(await screen.findByRole('list', { name: 'Last attempts' })).findAllByRole('listitem')
}
const typeUrl = async (url: string) =>
  fireEvent.change(await screen.findByLabelText('Address'), { target: { value: url } })

test('an admin finds from the page how to check a signature [INST-12]', async () => {
  open()
  const link = screen.getByRole('link', { name: 'Standard Webhooks' })
  expect(link.getAttribute('href')).toBe('https://www.standardwebhooks.com')
  expect(link.getAttribute('target')).toBe('_blank')
  expect(screen.getByText(/docs\/api\.md in the source code/)).toBeTruthy()
  expect(await screen.findByLabelText('Address')).toBeTruthy()
})

test('an admin reads which addresses are notified of what, and how much waits [INST-12]', async () => {
  open(hook)
  const shown = await card()
  expect(shown.getByText(/^A post is published/).textContent).toBe(
    'A post is published · A public story is finishedMade June 1, 2025, 2 waiting',
  )
})

test('an admin makes a webhook and reads its secret once [INST-12]', async () => {
  open()
  const made = { ...hook, events: ['post.published' as const], waiting: 0, secret: 'whsec_secret' }
  server.on(createWebhook, () => {
    server.on(listWebhooks, [made])
    return made
  })
  await typeUrl(` ${hook.url} `)
  fireEvent.click(screen.getByLabelText('A public story is finished'))
  press('Make webhook')
  expect((await screen.findByLabelText<HTMLInputElement>('Secret of the new webhook')).value).toBe(
    'whsec_secret',
  )
  expect(screen.getByText('Copy the secret now: it is not shown again.')).toBeTruthy()
  expect(server.inputs(createWebhook)).toEqual([{ url: hook.url, events: ['post.published'] }])
  expect(await card()).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Address').value).toBe('')
})

test('an admin reads what is missing or refused, and keeps what they typed [INST-12]', async () => {
  open()
  await screen.findByLabelText('Address')
  for (const event of ['A post is published', 'A public story is finished'])
    fireEvent.click(screen.getByLabelText(event))
  press('Make webhook')
  expect(screen.getByText('Please enter an address.')).toBeTruthy()
  expect(screen.getByText('Please choose what the webhook is notified of.')).toBeTruthy()
  expect(server.changes).toEqual([])
  fireEvent.click(screen.getByLabelText('A post is published'))
  await typeUrl('http://10.0.0.1/')
  server.refuse(createWebhook, 'TooManyWebhooks')
  press('Make webhook')
  expect(await screen.findByText(/There are 10 webhooks/)).toBeTruthy()
  server.disconnect(createWebhook)
  press('Make webhook')
  expect(await screen.findByText(/The webhook could not be made/)).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Address').value).toBe('http://10.0.0.1/')
})

test('an admin reads the last attempts, and sends a failed delivery again, but no other one [INST-12]', async () => {
  const [failed, earlier, sent, lost] = await openAttempts(
    attempt,
    { ...attempt, id: idOf(11), status: null, failure: 'socket hang up' },
    {
      ...attempt,
      id: idOf(12),
      deliveryId: idOf(21),
      status: 204,
      isDelivered: true,
      nextAt: null,
      event: 'story.finished',
    },
    { ...attempt, id: idOf(13), deliveryId: idOf(22), nextAt: null },
  )
  expect(within(failed!).getByText('500')).toBeTruthy()
  expect(within(failed!).getByText(/^Next try/).textContent).toBe('Next try Jun 10, 2025, 10:30 AM')
  expect(within(failed!).getByRole('link', { name: 'Post' }).getAttribute('href')).toBe(`/posts/${idOf(30)}`)
  expect(within(earlier!).getByText('No answer')).toBeTruthy()
  expect(within(earlier!).getByText('socket hang up')).toBeTruthy()
  expect(within(sent!).getByRole('link', { name: 'Story' }).getAttribute('href')).toBe(`/stories/${idOf(30)}`)
  for (const row of [earlier!, sent!]) expect(within(row).queryByRole('button')).toBeNull()
  expect(within(lost!).getByText('Given up')).toBeTruthy()
  server.on(retryDelivery, done)
  fireEvent.click(within(lost!).getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('It is sent again now.')).toBeTruthy()
  expect(server.inputs(retryDelivery)).toEqual([{ deliveryId: idOf(22) }])
})

test('an admin deletes a webhook after a question, or cancels it [INST-12]', async () => {
  open(hook)
  fireEvent.click((await card()).getByRole('button', { name: /^Delete/ }))
  await screen.findByRole('alertdialog')
  press('Cancel')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(server.changes).toEqual([])
  server.on(deleteWebhook, () => {
    server.on(listWebhooks, [])
    return done
  })
  fireEvent.click((await card()).getByRole('button', { name: /^Delete/ }))
  await screen.findByText(/is notified no more/)
  press('Delete webhook')
  expect(await screen.findByText('The webhook is deleted.')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('region', { name: hook.url })).toBeNull())
})
