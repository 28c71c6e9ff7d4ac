import 'fake-indexeddb/auto'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Room, RoomPassage } from '#contract/rooms/room.ts'
import { draftsOf, forgetDraftsOf, keepDraft } from '#web/lib/editor/drafts.ts'
import { admin, ana, guest, startFakes } from '#web/shell/testing.tsx'
import { anEndedRoom } from '../testing.tsx'
import { aPassage, openRoom, passages, story } from './testing.tsx'

startFakes()
beforeEach(() => forgetDraftsOf(ana.id))

const aMill = (more: Partial<Room> = {}) =>
  anEndedRoom({ name: 'The mill', description: 'By the river,\nat night.', ...more })

/** Enters a room that has ended; `pages` are its passages as the server gives them, the last ones first. */
function openStory(
  room: Room,
  pages: RoomPassage[][] = [[]],
  user: Parameters<typeof openRoom>[0]['user'] = null,
) {
  const path = `/api/zimmers/${room.id}/messages`
  const answers = pages.map((page, i) => {
    const headers: Record<string, string> = i < pages.length - 1 ? { 'next-before': `cursor-${i + 1}` } : {}
    return [`GET ${path}${i === 0 ? '' : `?before=cursor-${i}`}`, () => ({ body: page, headers })] as const
  })
  return openRoom({ room, user, answers: Object.fromEntries(answers) })
}

const whole = () => screen.findByRole('list', { name: 'The story' })
const texts = () => story().map(([text]) => text)

test('an ended room is a book page with title, description, day of the end and members [RVIEW-03 RVIEW-05 RVIEW-07 RLIST-28]', async () => {
  const room = aMill()
  openStory(room, [passages(room.id, 1, 2)])
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('The mill')
  expect(screen.getByText('By the river, at night.').textContent).toBe('By the river,\nat night.')
  expect(screen.getByText('June 10, 2025').getAttribute('datetime')).toBe(room.expiresAt)
  expect(screen.getByText('4 members')).toBeTruthy()
  expect(screen.getByRole('link', { name: '← Back' }).getAttribute('href')).toBe('/zimmers?view=rooms')
  await whole()
  expect(screen.queryByRole('img', { name: 'Private room' })).toBeNull()
  for (const control of ['textbox', 'button']) expect(screen.queryByRole(control)).toBeNull()
})

test('its members know a private story by its lock [RVIEW-04]', async () => {
  openStory(aMill({ isPublic: false, isMember: true }), [[]], ana)
  expect(await screen.findByRole('img', { name: 'Private room' })).toBeTruthy()
})

test('a story of many pages is read from its first passage to its last, each once [RVIEW-02 RVIEW-07 S30]', async () => {
  const room = aMill()
  const { calls, path } = openStory(room, [
    passages(room.id, 5, 6),
    passages(room.id, 3, 4),
    passages(room.id, 1, 2),
  ])
  await whole()
  expect(texts()).toEqual([1, 2, 3, 4, 5, 6].map((position) => `Passage ${position}`))
  for (const cursor of [1, 2]) expect(calls()).toContain(`GET ${path}/messages?before=cursor-${cursor}`)
})

test('passages keep their lines and carry the names of their authors [RVIEW-12]', async () => {
  const room = aMill()
  openStory(room, [
    [
      aPassage({ roomId: room.id, position: 1, content: 'A stone falls.\n\n  A well.' }),
      aPassage({ roomId: room.id, position: 2, content: 'Deep.', authorName: 'Ben Ober' }),
      aPassage({ roomId: room.id, position: 3, content: 'Gone.', userId: null }),
    ],
  ])
  await whole()
  expect(story()).toEqual([
    ['A stone falls.\n\n  A well.', 'User h3m9w5zt8v'],
    ['Deep.', 'Ben Ober'],
    ['Gone.', 'Deleted user'],
  ])
})

test('contributors stand below with their words and their share of the story', async () => {
  const room = aMill()
  const wrote = (position: number, userId: string, words: number) =>
    aPassage({ roomId: room.id, position, userId, content: 'word '.repeat(words) })
  openStory(room, [[wrote(1, ana.id, 1), wrote(2, 'h3m9w5zt8v', 1500), wrote(3, ana.id, 499)]])
  const section = within(await screen.findByRole('region', { name: 'Contributors' }))
  expect(section.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'User h3m9w5zt8v1,500 words · 75%',
    `User ${ana.id}500 words · 25%`,
  ])
})

test('whoever reads a story takes it along as EPUB, Markdown or plain text', async () => {
  const room = aMill()
  openStory(room)
  const section = within(await screen.findByRole('region', { name: 'Download the story' }))
  const links = section.getAllByRole('link')
  expect(links.map(({ textContent }) => textContent)).toEqual(['EPUB', 'Markdown', 'Plain text'])
  expect(links.map((link) => link.getAttribute('href'))).toEqual(
    ['epub', 'md', 'txt'].map((format) => `/api/zimmers/${room.id}/story.${format}`),
  )
  for (const link of links) expect(link.hasAttribute('download')).toBe(true)
})

test('a story that nobody wrote says so, and has no contributors [RVIEW-10]', async () => {
  openStory(aMill())
  expect(await screen.findByText('Nobody wrote in this Z!mmer.')).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'Contributors' })).toBeNull()
  expect(screen.queryByText(/Be the first/)).toBeNull()
})

test('a part of the story that cannot be read shows none of it, and is tried again [GEN-06]', async () => {
  const room = aMill()
  let isThere = false
  openRoom({
    room,
    user: null,
    answers: {
      [`GET /api/zimmers/${room.id}/messages`]: () => ({
        body: passages(room.id, 2),
        headers: { 'next-before': '2' },
      }),
      [`GET /api/zimmers/${room.id}/messages?before=2`]: () =>
        isThere ? { body: passages(room.id, 1) } : { status: 404, body: {} },
    },
  })
  const tryAgain = await screen.findByRole('button', { name: 'Try again' })
  expect(screen.getByRole('alert').textContent).toBe('The story could not be loaded.')
  expect(texts()).toEqual([])
  isThere = true
  fireEvent.click(tryAgain)
  await whole()
  expect(texts()).toEqual(['Passage 1', 'Passage 2'])
})

test('an admin deletes a story from within, and is back at the list [RVIEW-06 RVIEW-17 RVIEW-19 ERR-21 ERR-22]', async () => {
  const room = aMill()
  const { calls } = openRoom({
    room,
    user: admin,
    answers: { [`DELETE /api/zimmer-rooms/${room.id}`]: () => ({ body: { ok: true } }) },
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Delete The mill' }))
  const question = await screen.findByRole('alertdialog')
  expect(question.textContent).toContain('Are you sure you want to delete the Z!mmer "The mill"?')
  fireEvent.click(within(question).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Z!mmer deleted successfully')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'OK' }))
  await vi.waitFor(() => expect(location.search).toBe('?view=rooms'))
  expect(calls()).toContain(`DELETE /api/zimmer-rooms/${room.id}`)
})

test('an admin who does not delete after all stays, and the story stays [RVIEW-19 ERR-21]', async () => {
  const { calls } = openStory(aMill(), [[]], admin)
  fireEvent.click(await screen.findByRole('button', { name: 'Delete The mill' }))
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('The mill')
  expect(calls().filter((call) => call.startsWith('DELETE'))).toEqual([])
})

test.each([
  ['a visitor', null],
  ['a guest', guest],
  ['a person', ana],
] as const)('%s is not offered to delete a story [RVIEW-06]', async (_who, user) => {
  openStory(aMill(), [[]], user)
  await screen.findByText('Nobody wrote in this Z!mmer.')
  expect(screen.queryByRole('button', { name: /Delete/ })).toBeNull()
})

const unsentIn = (room: Room, text: string) =>
  keepDraft([ana.id, `room/${room.id}`, 'closed'], { text, base: null })
const draft = async (room: Room) => (await draftsOf(ana.id, `room/${room.id}`))[0]?.text

test('what somebody was writing when the time was up stays theirs, until they discard it [R22]', async () => {
  const room = aMill({ isMember: true })
  await unsentIn(room, 'One word too l')
  openStory(room, [passages(room.id, 1)], ana)
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Your last passage' })
  expect([field.value, field.readOnly]).toEqual(['One word too l', true])
  expect(texts()).toEqual(['Passage 1'])

  fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(await draft(room)).toBe('One word too l')

  fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull())
  await vi.waitFor(async () => expect(await draft(room)).toBeUndefined())
})

test('an unsent passage is copied, or marked to be copied by hand where a browser has no clipboard [R22]', async () => {
  const room = aMill({ isMember: true })
  await unsentIn(room, 'One word too l')
  const writeText = vi.fn<(text: string) => Promise<void>>(async () => {})
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
  openStory(room, [[]], ana)
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Your last passage' })
  fireEvent.click(screen.getByRole('button', { name: 'Copy' }))
  expect(await screen.findByText('Passage copied')).toBeTruthy()
  expect(writeText).toHaveBeenCalledWith('One word too l')

  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
  fireEvent.click(screen.getByRole('button', { name: 'Copy' }))
  await waitFor(() => expect(document.activeElement).toBe(field))
  expect(field.value.slice(field.selectionStart, field.selectionEnd)).toBe('One word too l')
})

test('a passage whose answer was lost, but which stands in the story, is not called unsent [R22]', async () => {
  const room = aMill({ isMember: true })
  await unsentIn(room, 'The wheel turns.')
  openStory(room, [[aPassage({ roomId: room.id, userId: ana.id, content: 'The wheel turns.' })]], ana)
  await whole()
  await vi.waitFor(async () => expect(await draft(room)).toBe('The wheel turns.'))
  expect(screen.queryByRole('heading', { name: 'Not sent in time' })).toBeNull()
})
