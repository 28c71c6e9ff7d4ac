import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { handleKey, onKeys, shortcuts } from './keys.ts'

const did = vi.fn<(keys: string) => void>()
let stops: (() => void)[] = []

beforeEach(() => {
  document.addEventListener('keydown', handleKey)
  stops = ['/', 'n', '?', 'g f', 'g d'].map((keys) => onKeys(keys, () => did(keys)))
})
afterEach(() => {
  document.removeEventListener('keydown', handleKey)
  for (const stop of stops) stop()
  document.body.replaceChildren()
  vi.restoreAllMocks()
  did.mockReset()
})

function press(key: string, { at = 0, target = document.body as Element, ...held }: Pressed = {}) {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...held })
  Object.defineProperty(event, 'timeStamp', { value: at })
  target.dispatchEvent(event)
}
interface Pressed extends KeyboardEventInit {
  at?: number
  target?: Element
}

test('one key, or two soon after each other, do what the list says', () => {
  press('/')
  press('g', { at: 1000 })
  press('d', { at: 2000 })
  press('n', { at: 2100 })
  expect(did.mock.calls.flat()).toEqual(['/', 'g d', 'n'])
})

test('the first of two keys may be pressed again', () => {
  press('g', { at: 1000 })
  press('g', { at: 1500 })
  press('f', { at: 1600 })
  expect(did.mock.calls.flat()).toEqual(['g f'])
})

test('a second key that comes too late is on its own', () => {
  press('g', { at: 1000 })
  press('f', { at: 3000 })
  expect(did).not.toHaveBeenCalled()
})

test.each(['input', 'textarea', 'select'])(
  'keys are off while somebody types in a field of kind %s',
  (kind) => {
    const field = document.body.appendChild(document.createElement(kind))
    for (const key of ['/', 'n', 'g', 'f']) press(key, { target: field })
    expect(did).not.toHaveBeenCalled()
  },
)

test.each(['dialog', 'alertdialog', 'menu'])('keys are off under an open %s', (role) => {
  document.body.appendChild(document.createElement('div')).setAttribute('role', role)
  press('n')
  expect(did).not.toHaveBeenCalled()
})

test('keys are off with a held modifier and while a character is composed', () => {
  press('n', { ctrlKey: true })
  press('n', { metaKey: true })
  press('n', { altKey: true })
  press('n', { isComposing: true })
  expect(did).not.toHaveBeenCalled()
})

test('a page that is gone hears no keys', () => {
  for (const stop of stops) stop()
  press('n')
  expect(did).not.toHaveBeenCalled()
})

test('the list of keys names each of them once', () => {
  const names = shortcuts.map(({ keys }) => keys)
  expect(names).toEqual(['/', 'n', '[', ']', 'g f', 'g d', 'g c', 'g r', 'g m', '?', 'F8', 'Escape'])
})
