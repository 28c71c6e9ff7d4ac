import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { handleKey, onKeys } from './keys.ts'

const did = vi.fn<(keys: string) => void>()
let stops: (() => void)[] = []

beforeEach(() => {
  document.addEventListener('keydown', handleKey)
  stops = ['/', 'n', '?', 'g f', 'g d', 'Ctrl+k'].map((keys) => onKeys(keys, () => did(keys)))
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

test('a person starts a shortcut by one key, or by two keys pressed soon after each other', () => {
  press('/')
  press('g', { at: 1000 })
  press('d', { at: 2000 })
  press('n', { at: 2100 })
  expect(did.mock.calls.flat()).toEqual(['/', 'g d', 'n'])
})

test('a person who presses the first of two keys twice can still press the second', () => {
  press('g', { at: 1000 })
  press('g', { at: 1500 })
  press('f', { at: 1600 })
  expect(did.mock.calls.flat()).toEqual(['g f'])
})

test('a second key that is pressed too late starts nothing', () => {
  press('g', { at: 1000 })
  press('f', { at: 3000 })
  expect(did).not.toHaveBeenCalled()
})

test.each(['input', 'textarea', 'select'])(
  'a person who types in a field of kind %s starts no shortcut',
  (kind) => {
    const field = document.body.appendChild(document.createElement(kind))
    for (const key of ['/', 'n', 'g', 'f']) press(key, { target: field })
    expect(did).not.toHaveBeenCalled()
  },
)

test('a person who types on after a sheet was locked starts no shortcut', () => {
  const sheet = document.body.appendChild(document.createElement('form'))
  sheet.dataset['sheet'] = 'locked'
  const button = sheet.appendChild(document.createElement('button'))
  for (const key of ['/', 'n', 'g', 'f']) press(key, { target: button })
  expect(did).not.toHaveBeenCalled()
})

test.each(['dialog', 'alertdialog', 'menu'])('a person starts no shortcut under an open %s', (role) => {
  document.body.appendChild(document.createElement('div')).setAttribute('role', role)
  press('n')
  expect(did).not.toHaveBeenCalled()
})

test('a person who holds a modifier key or composes a character starts no shortcut', () => {
  press('n', { ctrlKey: true })
  press('n', { metaKey: true })
  press('n', { altKey: true })
  press('n', { isComposing: true })
  expect(did).not.toHaveBeenCalled()
})

test('a page that was left receives no keys', () => {
  for (const stop of stops) stop()
  press('n')
  expect(did).not.toHaveBeenCalled()
})

test('a person opens the search by Ctrl or Cmd and K, also while typing, but not under a dialog [LOOP-13]', () => {
  const input = document.body.appendChild(document.createElement('input'))
  press('k', { ctrlKey: true })
  press('k', { metaKey: true, target: input })
  press('k')
  press('k', { ctrlKey: true, altKey: true })
  expect(did.mock.calls.flat()).toEqual(['Ctrl+k', 'Ctrl+k'])
  document.body.insertAdjacentHTML('beforeend', '<div role="dialog"></div>')
  press('k', { ctrlKey: true })
  expect(did).toHaveBeenCalledTimes(2)
})
