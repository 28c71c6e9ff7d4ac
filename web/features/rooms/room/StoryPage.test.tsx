import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { User } from '#contract/account/user.ts'
import { deleteFeedRoom, listPassages } from '#contract/rooms/endpoints.ts'
import { roomPath, storyPath } from '#contract/rooms/paths.ts'
import type { Room, RoomPassage } from '#contract/rooms/room.ts'
import { draftsOf, keepDraft } from '#web/lib/editor/drafts.ts'
import { admin, ana, guest } from '#web/testing/people.ts'
import { saveAs, watchSaving } from '#web/testing/saving.ts'
import { anEndedRoom } from '../testing.tsx'
import { aPassage, passages, startRoomPage, story } from './testing.tsx'

const { server, openRoom } = startRoomPage()

const aMill = (more: Partial<Room> = {}) =>
  anEndedRoom({ name: 'The mill', description: 'By the river,\nat night.', ...more })

/** Opens a room that has ended. The server answers these `pages` of passages, the last page first. */
function openStory(room: Room, pages: RoomPassage[][] = [[]], user: User | null = null) {
  server.onPages(listPassages, pages)
  return openRoom({ room, user })
}

const whole = () => screen.findByRole('list', { name: 'The story' })
const texts = () => story().map(([text]) => text)

test('a visitor sees title, description, day of the end and members of an ended room [RVIEW-03 RVIEW-05 RVIEW-07 RLIST-28]', async () => {
  const room = aMill()
  openStory(room, [passages(room.id, 1, 2)])
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('The mill')
  expect(screen.getByText('By the river, at night.').textContent).toBe('By the river,\nat night.')
  expect(screen.getByText('June 10, 2025').getAttribute('datetime')).toBe(room.expiresAt)
  expect(screen.getByText('4 members')).toBeTruthy()
  expect(screen.getByRole('link', { name: '← Back' }).getAttribute('href')).toBe('/zimmers?view=rooms')
  await whole()
  expect(screen.queryByRole('img', { name: 'Private room' })).toBeNull()
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Save as…'])
})

test('a member sees a lock on the page of a private story [RVIEW-04]', async () => {
  openStory(aMill({ isPublic: false, isMember: true }), [[]], ana)
  expect(await screen.findByRole('img', { name: 'Private room' })).toBeTruthy()
})

test('a reader of a long story sees each passage once, from the first to the last [RVIEW-02 RVIEW-07 S30]', async () => {
  const room = aMill()
  openStory(room, [passages(room.id, 5, 6), passages(room.id, 3, 4), passages(room.id, 1, 2)])
  await whole()
  expect(texts()).toEqual([1, 2, 3, 4, 5, 6].map((position) => `Passage ${position}`))
  expect(server.calls(listPassages).map(({ query }) => query.before)).toEqual([undefined, '2', '3'])
})

test('a reader sees the story as one text, and a switch shows an author once for consecutive passages [RVIEW-12]', async () => {
  const room = aMill()
  openStory(room, [
    [
      aPassage({ roomId: room.id, position: 1, content: 'A stone falls.\n\n  A well.' }),
      aPassage({ roomId: room.id, position: 2, content: 'Deep.', userId: ana.id, authorName: 'Ben Ober' }),
      aPassage({ roomId: room.id, position: 3, content: 'Still.', userId: ana.id, authorName: 'Ben Ober' }),
      aPassage({ roomId: room.id, position: 4, content: 'Gone.', userId: null }),
    ],
  ])
  await whole()
  // The names are behind a switch. A short first line before a blank line is the title of the story.
  expect(story()).toEqual([
    ['A stone falls.  A well.', undefined],
    ['Deep.', undefined],
    ['Still.', undefined],
    ['Gone.', undefined],
  ])
  expect(screen.getByRole('heading', { level: 2, name: 'A stone falls.' })).toBeTruthy()
  fireEvent.click(screen.getByRole('switch', { name: 'Show who wrote what' }))
  expect(story()).toEqual([
    ['A stone falls.  A well.', 'User h3m9w5zt8v'],
    ['Deep.', 'Ben Ober'],
    ['Still.', undefined],
    ['Gone.', 'Deleted user'],
  ])
})

test('a reader sees the contributors below the story, with their words and their share of it', async () => {
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

test('everybody who reads a story saves it: the server makes EPUB, Markdown and plain text, the browser HTML [OWN-08]', async () => {
  const saved = watchSaving()
  const room = aMill()
  openStory(room, [[aPassage({ roomId: room.id, content: 'It rained.', authorName: 'Ben Ober' })]])
  for (const format of ['EPUB', 'Markdown', 'Plain text', 'HTML']) await saveAs(format)
  await waitFor(() => expect(saved).toHaveLength(4))
  expect(saved.map(({ address }) => address)).toEqual([
    ...['epub', 'md', 'txt'].map((format) => `/api/zimmers/${room.id}/story.${format}`),
    'blob:0',
  ])
  const page = new DOMParser().parseFromString(await saved[3]!.text(), 'text/html')
  expect(saved[3]!.name).toBe('The mill.html')
  expect(page.querySelector('h1')!.textContent).toBe('The mill')
  expect(page.querySelector('.note')!.textContent).toBe('June 10, 2025')
  expect(page.querySelector('section')!.textContent.trim()).toBe('Ben Ober\nIt rained.')
  expect(page.querySelector('footer')!.textContent).toContain('Ben Ober: 2 words, 100%')
})

test('a reader of a story without passages reads that nobody wrote, and sees no contributors [RVIEW-10]', async () => {
  openStory(aMill())
  expect(await screen.findByText('Nobody wrote in this Z!mmer.')).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'Contributors' })).toBeNull()
  expect(screen.queryByText(/Be the first/)).toBeNull()
})

test('a reader sees no passage of a story that cannot be loaded whole, and loads it again with a button [GEN-06]', async () => {
  const room = aMill()
  server.onPages(listPassages, [passages(room.id, 2), ({ fail }) => fail('RoomNotFound')])
  openRoom({ room, user: null })
  const tryAgain = await screen.findByRole('button', { name: 'Try again' })
  expect(screen.getByRole('alert').textContent).toBe('The story could not be loaded.')
  expect(texts()).toEqual([])
  server.onPages(listPassages, [passages(room.id, 2), passages(room.id, 1)])
  fireEvent.click(tryAgain)
  await whole()
  expect(texts()).toEqual(['Passage 1', 'Passage 2'])
})

test.each([
  ['the page of its room, and sees the list of rooms', roomPath, '/zimmers?view=rooms'],
  ['its own page, and sees the shelf', storyPath, '/projects/finished'],
])(
  'an admin deletes a story on %s again [RVIEW-06 RVIEW-17 RVIEW-19 ERR-21 ERR-22]',
  async (_what, pathOf, list) => {
    const room = aMill()
    server.on(deleteFeedRoom, { ok: true })
    openRoom({ room, user: admin, at: pathOf(room.id) })
    fireEvent.click(await screen.findByRole('button', { name: 'Delete The mill' }))
    const question = await screen.findByRole('alertdialog')
    expect(question.textContent).toContain('Are you sure you want to delete the Z!mmer "The mill"?')
    fireEvent.click(within(question).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Z!mmer deleted successfully')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'OK' }))
    await vi.waitFor(() => expect(location.pathname + location.search).toBe(list))
    expect(server.changes).toEqual([`DELETE /api/zimmer-rooms/${room.id}`])
  },
)

test('an admin who cancels the deletion stays on the page, and the story is not deleted [RVIEW-19 ERR-21]', async () => {
  openStory(aMill(), [[]], admin)
  fireEvent.click(await screen.findByRole('button', { name: 'Delete The mill' }))
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('The mill')
  expect(server.changes).toEqual([])
})

test.each([
  ['a visitor', null],
  ['a guest', guest],
  ['a person', ana],
] as const)('%s sees no button that deletes a story [RVIEW-06]', async (_who, user) => {
  openStory(aMill(), [[]], user)
  await screen.findByText('Nobody wrote in this Z!mmer.')
  expect(screen.queryByRole('button', { name: /Delete/ })).toBeNull()
})

const unsentIn = (room: Room, text: string) =>
  keepDraft([ana.id, `room/${room.id}`, 'closed'], { text, base: null })
const draft = async (room: Room) => (await draftsOf(ana.id, `room/${room.id}`))[0]?.text

test('a person keeps the text they were writing when the room ended, until they discard it [R22]', async () => {
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

test('a person copies an unsent passage with a button, and in a browser without a clipboard the button selects the text [R22]', async () => {
  const room = aMill({ isMember: true })
  await unsentIn(room, 'One word too l')
  const writeText = vi.fn<(text: string) => Promise<void>>(async () => {})
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
  openStory(room, [[]], ana)
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Your last passage' })
  fireEvent.click(screen.getByRole('button', { name: 'Copy' }))
  expect(await screen.findByText('Your passage was copied')).toBeTruthy()
  expect(writeText).toHaveBeenCalledWith('One word too l')

  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
  fireEvent.click(screen.getByRole('button', { name: 'Copy' }))
  await waitFor(() => expect(document.activeElement).toBe(field))
  expect(field.value.slice(field.selectionStart, field.selectionEnd)).toBe('One word too l')
})

test('a person does not see a passage as unsent when the story contains it, although its answer was lost [R22]', async () => {
  const room = aMill({ isMember: true })
  await unsentIn(room, 'The wheel turns.')
  openStory(room, [[aPassage({ roomId: room.id, userId: ana.id, content: 'The wheel turns.' })]], ana)
  await whole()
  await vi.waitFor(async () => expect(await draft(room)).toBe('The wheel turns.'))
  expect(screen.queryByRole('heading', { name: 'Not sent in time' })).toBeNull()
})
