import 'fake-indexeddb/auto'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { removeLocalCopies } from '#web/lib/local-copies.ts'
import { guestId, writeKey } from '#web/lib/session-keys.ts'
import { loadKeysOf, markLoggedOut, storedKeys } from '#web/lib/storage.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { LeftOff } from './LeftOff.tsx'
import { hasPositionIn, keepPosition, positionIn } from './positions.ts'

startTestPage()

const position = { offset: 11, quote: 'and another' }
const line = () => screen.queryByText('You left off here')

/** Opens a text as a visitor of this browser. */
function open(id: string, at = '/posts/1') {
  show(
    <article>
      <h1>The ferry</h1>
      <LeftOff id={id} />
      <div className="reading" data-long-text>
        <p>A line and another</p>
      </div>
    </article>,
    { at, user: null },
  )
}

test('a visitor reads where they left a text, and starts from the beginning by a button, which forgets it [LOOP-19]', async () => {
  keepPosition(guestId(), 'one', position)
  open('one')
  expect(line()!.closest('[role=status]')).not.toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Start from the beginning' }))
  expect(line()).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
  cleanup()
  open('one')
  expect(line()).toBeNull()
})

test('a reader sees no line in another text, in a text of another person, or at an address that names an element [LOOP-19]', () => {
  keepPosition(guestId(), 'one', position)
  open('two')
  expect(line()).toBeNull()
  cleanup()
  open('one', '/posts/1#comments')
  expect(line()).toBeNull()
  cleanup()
  writeKey('userId', ana.id)
  keepPosition(ana.id, 'three', position)
  expect(hasPositionIn('three')).toBe(true)
  open('three')
  expect(line()).toBeNull()
})

test('an open page whose person has logged out in another tab keeps nothing of what the person has read, as a visitor either [LOOP-19 S48]', async () => {
  await loadKeysOf(ana.id)
  keepPosition(guestId(), 'one', position)
  expect(positionIn(guestId(), 'one')).toMatchObject(position)
  markLoggedOut(ana.id)
  keepPosition(guestId(), 'two', position)
  expect(positionIn(guestId(), 'two')).toBeUndefined()
})

test('the last hundred texts of a reader are kept, the one that was read last at the end [LOOP-19]', () => {
  const owner = guestId()
  for (let n = 0; n < 100; n++) keepPosition(owner, `text ${n}`, position)
  keepPosition(owner, 'text 0', { ...position, offset: 12 })
  keepPosition(owner, 'text 100', position)
  expect(positionIn(owner, 'text 0')?.offset).toBe(12)
  expect(positionIn(owner, 'text 1')).toBeUndefined()
  expect(positionIn(owner, 'text 2')).toMatchObject(position)
  expect(positionIn(owner, 'text 100')).toMatchObject(position)
})

test('a text without a position is read without a write of the positions in other texts [LOOP-19]', () => {
  keepPosition(guestId(), 'one', position)
  const key = `reading-positions:${guestId()}`
  // A write would store the text without this space.
  const stored = ` ${localStorage.getItem(key)}`
  localStorage.setItem(key, stored)
  keepPosition(guestId(), 'two', undefined)
  expect(localStorage.getItem(key)).toBe(stored)
})

test('after a log-out, also in another tab, this browser neither has nor keeps a position of the person [LOOP-19 S48]', async () => {
  writeKey('userId', ana.id)
  keepPosition(ana.id, 'one', position)
  expect(hasPositionIn('one')).toBe(true)
  // Another tab removes the keys that this one has written.
  for (const key of storedKeys('localStorage')) localStorage.removeItem(key)
  keepPosition(ana.id, 'one', position)
  expect(storedKeys('localStorage')).toEqual([])

  writeKey('userId', ana.id)
  keepPosition(ana.id, 'one', position)
  await removeLocalCopies(ana.id)
  keepPosition(ana.id, 'one', position)
  expect(hasPositionIn('one')).toBe(false)
})

test.each(['{', '{}', '"one"', '[{"id":1}]', '[null]'])(
  'a reader whose stored positions are %s begins at the beginning, and new positions are kept [LOOP-19]',
  (damaged) => {
    localStorage.setItem(`reading-positions:${guestId()}`, damaged)
    open('one')
    expect(line()).toBeNull()
    keepPosition(guestId(), 'one', position)
    expect(positionIn(guestId(), 'one')).toMatchObject(position)
  },
)
