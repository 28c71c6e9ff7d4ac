import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { navigate } from 'wouter/use-browser-location'
import { countUnread, deleteMessage, listMessages } from '#contract/messages/endpoints.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { see } from '#web/testing/fake-observer.ts'
import {
  aMessage,
  ben,
  connect,
  emit,
  field,
  messageItems,
  messages,
  now,
  ofAna,
  readyField,
  startMessagesPage,
} from './testing.tsx'

const { server, openBen, openMessages } = startMessagesPage()

test('messages stand below the day on which they were sent, with their time [MSG-13]', async () => {
  const at = (created_at: string) => aMessage({ created_at })
  openBen({
    messages: [
      at('2024-02-29T10:00:00.000Z'),
      at('2025-06-03T10:00:00.000Z'),
      at('2025-06-09T10:00:00.000Z'),
      at('2025-06-09T11:00:00.000Z'),
      at('2025-06-10T10:00:00.000Z'),
    ],
  })
  await waitFor(() => expect(messages()).toHaveLength(5))
  const days = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
  expect(days).toEqual(['Thursday, February 29, 2024', 'Tuesday, Jun 3', 'Yesterday', 'Today'])
  for (const item of messageItems()) expect(item.querySelector('time')!.textContent).toMatch(/\d:00/)
})

test('at midnight the messages of today become those of yesterday on an open page [MSG-13]', async () => {
  openBen({ messages: [aMessage()] })
  expect(await screen.findByRole('heading', { level: 3, name: 'Today' })).toBeTruthy()
  vi.setSystemTime(now.getTime() + 86_400_000)
  act(() => void vi.advanceTimersByTime(1000))
  expect(await screen.findByRole('heading', { level: 3, name: 'Yesterday' })).toBeTruthy()
})

test('a person scrolls up: earlier messages are loaded by the cursor, and those on the screen do not move [PPL-11]', async () => {
  const [first, second, third] = [aMessage(), aMessage(), aMessage()]
  server.onPages(listMessages, [[second, third], [first]])
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return new DOMRect(0, messageItems().indexOf(this as HTMLElement) * 100, 100, 0)
  })
  openBen()
  const earlier = await screen.findByRole('button', { name: 'Earlier messages' })
  expect(messages()).toHaveLength(2)
  see(earlier)
  await waitFor(() => expect(messages()).toHaveLength(3))
  expect(messages()[0]).toBe(`Ben Okafor: ${first.content}`)
  expect(server.calls(listMessages).at(-1)!.query).toEqual({ limit: '50', before: '2' })
  // The message that was the first is one message lower now.
  expect(vi.mocked(window.scrollBy).mock.calls).toEqual([[{ top: 100 }]])
  expect(screen.queryByRole('button', { name: 'Earlier messages' })).toBeNull()
})

test('an earlier page is an empty box of its height while it is far from the window, and is drawn again when the person comes back', async () => {
  const [first, second] = [aMessage(), aMessage()]
  server.onPages(listMessages, [[second], [first]])
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(900)
  openBen()
  see(await screen.findByRole('button', { name: 'Earlier messages' }))
  await waitFor(() => expect(server.calls(listMessages)).toHaveLength(2))
  const box = await waitFor(() => {
    const [earlier] = screen.getByRole('group', { name: 'The messages so far' }).children
    expect((earlier as HTMLElement).style.blockSize).toBe('900px')
    return earlier!
  })
  expect(messages()).toEqual([`Ben Okafor: ${second.content}`])
  see(box)
  await waitFor(() => expect(messages()[0]).toBe(`Ben Okafor: ${first.content}`))
  expect((box as HTMLElement).style.blockSize).toBe('')
})

test('an earlier page whose first message is deleted keeps its other messages as they are', async () => {
  const [first, second, third] = [aMessage(), aMessage(), aMessage()]
  server.onPages(listMessages, [[third], [first, second]])
  openBen()
  see(await screen.findByRole('button', { name: 'Earlier messages' }))
  await waitFor(() => expect(messages()).toHaveLength(3))
  connect()
  await waitFor(() => expect(server.calls(listMessages)).toHaveLength(3))
  const [, kept] = messageItems()
  emit('message.deleted', { id: first.id, friendUserId: ben.id })
  await waitFor(() => expect(messages()).toHaveLength(2))
  expect(messageItems()[0]).toBe(kept)
})

test('a person for whom earlier messages fail to load reads so, and loads them by the button [PPL-11]', async () => {
  server.onPages(listMessages, [[aMessage()], ({ fail }) => fail('Unavailable')])
  openBen()
  see(await screen.findByRole('button', { name: 'Earlier messages' }))
  expect(await screen.findByText('Earlier messages could not be loaded.')).toBeTruthy()
  server.onPages(listMessages, [[], [aMessage({ content: 'Long ago' })]])
  fireEvent.click(screen.getByRole('button', { name: 'Earlier messages' }))
  await waitFor(() => expect(messages()[0]).toBe('Ben Okafor: Long ago'))
})

test('a message that arrives is shown at once, and announced once to screen readers [MSG-27]', async () => {
  openBen({ messages: [aMessage()] })
  await waitFor(() => expect(messages()).toHaveLength(1))
  connect()
  await waitFor(() => expect(server.calls(listMessages)).toHaveLength(2))
  const message = aMessage({ content: 'Are you there?' })
  const log = screen.getByRole('log')
  for (let i = 0; i < 2; i++) emit('message', message)
  await waitFor(() => expect(messages()).toHaveLength(2))
  expect(within(log).getByText('Are you there?')).toBeTruthy()
})

test('a message that arrives while its conversation is read for the first time is shown, although the answer is without it [MSG-27 R8]', async () => {
  const first = Promise.withResolvers<DirectMessage[]>()
  const message = aMessage()
  openMessages({}, { at: '/dashboard' })
  connect()
  await expect.poll(() => server.calls(countUnread).length).toBe(2)
  server.on(listMessages, () => first.promise)
  act(() => navigate(`/messages?friend=${ben.id}`))
  await expect.poll(() => server.calls(listMessages).length).toBe(1)
  server.on(listMessages, [message])
  emit('message', message)
  await act(async () => first.resolve([]))
  await waitFor(() => expect(messages()).toEqual([`Ben Okafor: ${message.content}`]))
})

test('a message that a friend deletes is gone at once, also when an older answer still has it [MSG-24 MSG-27]', async () => {
  const [first, second] = [aMessage(), aMessage()]
  openBen({ messages: [first, second] })
  await waitFor(() => expect(messages()).toHaveLength(2))
  connect()
  emit('message.deleted', { id: second.id, friendUserId: ben.id })
  await waitFor(() => expect(messages()).toEqual([`Ben Okafor: ${first.content}`]))
  emit('reset', {})
  await waitFor(() => expect(server.calls(listMessages).length).toBeGreaterThan(2))
  expect(messages()).toEqual([`Ben Okafor: ${first.content}`])
})

test('a message that is too long for the stream is requested [MSG-27]', async () => {
  const { stored } = openBen()
  await readyField()
  connect()
  stored.messages = [aMessage({ content: 'A very long one' })]
  const { id, sender_id, created_at } = stored.messages[0]!
  emit('message.long', { id, sender_id, created_at, friendUserId: ben.id })
  await waitFor(() => expect(messages()).toEqual(['Ben Okafor: A very long one']))
})

test('without a stream the messages are polled every half minute [MSG-27]', async () => {
  const { stored } = openBen()
  await readyField()
  stored.messages = [aMessage({ content: 'By poll' })]
  act(() => void vi.advanceTimersByTime(29_000))
  expect(messages()).toEqual([])
  act(() => void vi.advanceTimersByTime(1000))
  await waitFor(() => expect(messages()).toEqual(['Ben Okafor: By poll']))
})

test('a person can delete own messages only, is asked, and the message is gone after the answer [MSG-23 MSG-24 PERM-21]', async () => {
  const stored = [aMessage(), ofAna({ content: 'Too late' })]
  server.on(deleteMessage, { ok: true })
  openBen({ messages: stored })
  await waitFor(() => expect(messages()).toHaveLength(2))
  const [theirs, mine] = messageItems()
  expect(within(theirs!).queryByRole('button', { name: 'Delete' })).toBeNull()
  const ask = async (answer: string) => {
    fireEvent.click(within(mine!).getByRole('button', { name: 'Delete' }))
    const question = await screen.findByRole('alertdialog')
    expect(within(question).getByRole('heading').textContent).toBe(
      'Are you sure you want to delete this message?',
    )
    fireEvent.click(within(question).getByRole('button', { name: answer }))
  }
  await ask('Cancel')
  await act(async () => {})
  expect(server.calls(deleteMessage)).toEqual([])
  await ask('Delete')
  await waitFor(() => expect(messages()).toHaveLength(1))
  expect(server.calls(deleteMessage).map(({ params }) => params)).toEqual([{ id: stored[1]!.id }])
})

test('after a message with the focus is deleted, here or by the friend, the list of messages has the focus [MSG-23]', async () => {
  server.on(deleteMessage, { ok: true })
  const [theirs, mine, last] = [aMessage(), ofAna(), aMessage()]
  openBen({ messages: [theirs, mine, last] })
  await waitFor(() => expect(messages()).toHaveLength(3))
  connect()
  const list = screen.getByRole('group', { name: 'The messages so far' })
  screen.getByRole('button', { name: 'Delete' }).focus()
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  const question = await screen.findByRole('alertdialog')
  fireEvent.click(within(question).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(messages()).toHaveLength(2))
  expect(document.activeElement).toBe(list)
  screen.getAllByRole('button', { name: 'Report' })[0]!.focus()
  emit('message.deleted', { id: theirs.id, friendUserId: ben.id })
  await waitFor(() => expect(messages()).toHaveLength(1))
  expect(document.activeElement).toBe(list)
  const input = await readyField()
  input.focus()
  emit('message.deleted', { id: last.id, friendUserId: ben.id })
  await waitFor(() => expect(messages()).toEqual([]))
  expect(document.activeElement).toBe(input)
})

test('a person whose message cannot be deleted reads so, and the message stays [MSG-24]', async () => {
  server.refuse(deleteMessage, 'NotYourMessage')
  openBen({ messages: [ofAna()] })
  await waitFor(() => expect(messages()).toHaveLength(1))
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  const question = await screen.findByRole('alertdialog')
  fireEvent.click(within(question).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('The message could not be deleted. Please try again.')).toBeTruthy()
  expect(messages()).toHaveLength(1)
})

test('a person for whom a conversation fails to load can try again [MSG-13]', async () => {
  server.refuse(listMessages, 'DiaryLocked', { error: '403' })
  openBen()
  expect(await screen.findByText('The messages could not be loaded.')).toBeTruthy()
  server.on(listMessages, [aMessage()])
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(messages()).toHaveLength(1))
  expect(await field()).toBeTruthy()
})

test('of messages that one person wrote in a row one time is in sight, and every message keeps its own for screen readers, a tap and the focus [LOOP-30]', async () => {
  const at = (time: string) => ({ created_at: `2025-06-10T${time}:00.000Z` })
  openBen({ messages: [aMessage(at('10:00')), aMessage(at('10:04')), ofAna(at('10:05'))] })
  await waitFor(() => expect(messageItems()).toHaveLength(3))
  const times = messageItems().map((item) => item.querySelector('time')!)
  expect(times.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/\d:00/),
    expect.stringMatching(/\d:04/),
    expect.stringMatching(/\d:05/),
  ])
  expect(times.map((time) => time.classList.contains('opacity-0'))).toEqual([true, false, false])
  expect(times.every((time) => time.closest('[aria-hidden]') === null)).toBe(true)
  expect(times[0]!.classList.contains('group-focus-within:opacity-100')).toBe(true)
  const bubble = messageItems()[0]!.querySelector('div')!
  bubble.focus()
  expect(document.activeElement).toBe(bubble)
})
