import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { listMessages } from '#contract/messages/endpoints.ts'
import { saveAs, watchSaving } from '#web/testing/saving.ts'
import { aMessage, messages, ofAna, startMessagesPage, type } from './testing.tsx'

const { server, openBen } = startMessagesPage()

const partsOf = (text: string) => text.trim().split('\n\n---\n\n').slice(1)

test('a person saves a whole conversation, also what is not loaded on the page, and keeps the typed text [OWN-24]', async () => {
  const [first, second, third] = [aMessage(), ofAna(), aMessage({ content: 'A line\nand another' })]
  server.onPages(listMessages, [[third], [second], [first]])
  const saved = watchSaving()
  openBen()
  const field = await type('Not sent yet')
  expect(messages()).toHaveLength(1)
  await saveAs('Plain text')
  await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['Messages with Ben Okafor.txt']))
  const text = await saved[0]!.text()
  expect(text).toContain('\n3 messages · ')
  expect(partsOf(text).map((part) => part.split('\n\n')[1])).toEqual([
    first.content,
    second.content,
    'A line\nand another',
  ])
  expect(partsOf(text).map((part) => part.split(' · ')[0])).toEqual(['Ben Okafor', 'Ana Lima', 'Ben Okafor'])
  const asked = server.calls(listMessages).slice(-3)
  expect(asked.map(({ query }) => query)).toEqual([
    { limit: '500' },
    { limit: '500', before: '2' },
    { limit: '500', before: '3' },
  ])
  expect(field.value).toBe('Not sent yet')
  expect(server.changes.filter((line) => !line.includes('/read'))).toEqual([])
})

test('a person whose connection breaks while a conversation is read gets no part of it, and reads so [OWN-24]', async () => {
  const saved = watchSaving()
  const pages = (first: typeof listMessages.output._zod.output, failing: boolean) =>
    server.onPages(listMessages, [
      first,
      ({ disconnect }) => (failing ? disconnect() : [aMessage({ content: 'Early' })]),
    ])
  const newest = [aMessage({ content: 'Late' })]
  pages(newest, true)
  openBen()
  await screen.findByText('Late')
  await saveAs('Markdown')
  expect(await screen.findByText('The conversation could not be saved')).toBeTruthy()
  expect(saved).toEqual([])
  expect(screen.queryByRole('dialog')).toBeNull()
  pages(newest, false)
  await saveAs('Markdown')
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(partsOf(await saved[0]!.text())).toHaveLength(2)
})

test('a person sees how many messages of a long conversation are read, and cancels [OWN-24]', async () => {
  const saved = watchSaving()
  server.onPages(listMessages, [[aMessage(), aMessage()], () => new Promise<never>(() => {})])
  openBen()
  await saveAs('HTML')
  const dialog = await screen.findByRole('dialog', { name: 'Saving the conversation' })
  expect(dialog.textContent).toContain('2 messages are read.')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(saved).toEqual([])
})

test('nobody is offered a file of a conversation without messages [OWN-24]', async () => {
  openBen()
  expect(await screen.findByText('Write the first message to Ben Okafor.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Save as…' })).toBeNull()
})
