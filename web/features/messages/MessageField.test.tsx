import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { listMessages, sendMessage } from '#contract/messages/endpoints.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { draftsOf } from '#web/lib/editor/drafts.ts'
import { ana } from '#web/testing/people.ts'
import { ben, cleo, emit, field, messages, ofAna, readyField, startMessagesPage, type } from './testing.tsx'

const { server, openBen } = startMessagesPage()

const enter = async (more: object = {}) => fireEvent.keyDown(await field(), { key: 'Enter', ...more })
const sent = () => server.inputs(sendMessage).map(({ content }) => content)

test('a person sends a message by Enter: the conversation shows it at once, and once [MSG-14 MSG-15 MSG-18]', async () => {
  const answer = Promise.withResolvers<DirectMessage>()
  server.on(sendMessage, () => answer.promise)
  openBen()
  await type('It rains.\nStill.')
  for (const more of [{ shiftKey: true }, { isComposing: true }]) expect(await enter(more)).toBe(true)
  expect(sent()).toEqual([])
  await enter()
  expect((await field()).value).toBe('')
  expect((await screen.findByText('Sending…')).parentElement!.textContent).toContain('It rains.\nStill.')
  const message = ofAna({ content: 'It rains.\nStill.' })
  emit('ready', { inbox: [ana.id] })
  server.on(listMessages, [message])
  // The event arrives before the answer.
  emit('message', message)
  await waitFor(() => expect(messages()).toEqual(['You: It rains.\nStill.']))
  expect(screen.queryByText('Sending…')).toBeNull()
  await act(async () => answer.resolve(message))
  expect(messages()).toHaveLength(1)
  expect(server.inputs(sendMessage)).toEqual([
    { receiverId: ben.id, messageType: 'text', content: 'It rains.\nStill.' },
  ])
})

test('a person with a touch screen starts a new line by Enter, and sends by the button [MSG-14 MSG-15]', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(pointer: coarse)' }))
  openBen()
  const input = await type('By thumb')
  expect(await enter()).toBe(true)
  expect(sent()).toEqual([])
  const button = screen.getByRole('button', { name: 'Send' })
  // The press is cancelled: it would take the focus from the field, and close the keyboard of the phone.
  expect(fireEvent.mouseDown(button)).toBe(false)
  fireEvent.click(button)
  await waitFor(() => expect(messages()).toEqual(['You: By thumb']))
  expect(document.activeElement).toBe(input)
})

test('a person who opens another friend during a slow send, and comes back, does not find the message in the field again [MSG-14]', async () => {
  const answer = Promise.withResolvers<DirectMessage>()
  server.on(sendMessage, () => answer.promise)
  openBen()
  await type('It rains.')
  await enter()
  await screen.findByText('Sending…')
  fireEvent.click(await screen.findByRole('button', { name: /^Cleo Ross/ }))
  expect((await readyField()).value).toBe('')
  fireEvent.click(await screen.findByRole('button', { name: /^Ben Okafor/ }))
  expect(await screen.findByText('Your last message is being sent…')).toBeTruthy()
  expect(screen.queryByPlaceholderText('Write a message…')).toBeNull()
  const message = ofAna({ content: 'It rains.' })
  server.on(listMessages, [message])
  await act(async () => answer.resolve(message))
  expect((await readyField()).value).toBe('')
  await waitFor(() => expect(messages()).toEqual(['You: It rains.']))
  expect(sent()).toEqual(['It rains.'])
  expect(await draftsOf(ana.id, `message/${ben.id}`)).toEqual([])
})

test('an empty message is not sent [MSG-16]', async () => {
  openBen()
  for (const text of ['', '   ', '\n\u200b\n']) {
    await type(text)
    await enter()
  }
  await act(async () => {})
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
  expect(sent()).toEqual([])
})

test('a message of more than 5,000 characters is not sent, and the person reads by how much it is too long [S31]', async () => {
  openBen()
  await type('x'.repeat(5002))
  await enter()
  await act(async () => {})
  expect(screen.getByText('2 characters too long')).toBeTruthy()
  expect(sent()).toEqual([])
})

test('a person without a connection keeps the message, and sends it by Try again with the same idempotency key [MSG-14]', async () => {
  server.disconnect(sendMessage)
  openBen()
  const input = await type('By train')
  await enter()
  expect(await screen.findByText('Your message could not be sent yet. It is still here.')).toBeTruthy()
  expect(input.value).toBe('By train')
  fireEvent.click(screen.getByRole('button', { name: 'Edit' }))
  expect(document.activeElement).toBe(input)
  server.on(sendMessage, ofAna({ content: 'By train' }))
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(messages()).toEqual(['You: By train']))
  expect(input.value).toBe('')
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  const keys = server.calls(sendMessage).map(({ idempotencyKey }) => idempotencyKey)
  expect(keys.length).toBeGreaterThan(1)
  expect(new Set(keys).size).toBe(1)
})

test('a person discards a message that was refused, after a question [MSG-14]', async () => {
  server.refuse(sendMessage, 'FriendNotFound')
  openBen()
  const input = await type('Hello?')
  await enter()
  expect(
    await screen.findByText('This person is not among your friends. Your message is still here.'),
  ).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
  const question = await screen.findByRole('alertdialog')
  fireEvent.click(within(question).getByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(input.value).toBe(''))
  expect(await draftsOf(ana.id, `message/${ben.id}`)).toEqual([])
})

test('messages that are sent faster than the server answers arrive in order [MSG-14]', async () => {
  const answers: PromiseWithResolvers<void>[] = []
  server.on(sendMessage, async ({ input }) => {
    answers.push(Promise.withResolvers())
    await answers.at(-1)!.promise
    return ofAna({ content: input.content! })
  })
  openBen()
  await type('First')
  await enter()
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  await type('Second')
  await enter()
  await act(async () => answers[0]!.resolve())
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  await act(async () => answers[1]!.resolve())
  await waitFor(() => expect(messages()).toEqual(['You: First', 'You: Second']))
})

test('each friend has a draft of their own, which is there after a change of friend and after a reload [MSG-14]', async () => {
  openBen()
  await type('To Ben')
  await vi.waitFor(async () => expect(await draftsOf(ana.id, `message/${ben.id}`)).toHaveLength(1))
  fireEvent.click(screen.getByRole('button', { name: /^Cleo Ross/ }))
  await waitFor(async () => expect((await readyField()).value).toBe(''))
  await type('To Cleo')
  await vi.waitFor(async () => expect(await draftsOf(ana.id, `message/${cleo.id}`)).toHaveLength(1))
  fireEvent.click(screen.getByRole('button', { name: /^Ben Okafor/ }))
  await waitFor(async () => expect((await field()).value).toBe('To Ben'))
  cleanup()
  openBen()
  await waitFor(async () => expect((await field()).value).toBe('To Ben'))
  expect(sent()).toEqual([])
})
