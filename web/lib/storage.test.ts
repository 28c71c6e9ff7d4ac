import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import {
  isStoringStopped,
  markLoggedOut,
  personKey,
  removeStored,
  storedJson,
  storedKeys,
  storedText,
  unmarkLoggedOut,
} from './storage.ts'
import { fillStorage } from './testing.ts'

const schema = z.object({ title: z.string() })
const fallback = { title: '' }
const draft = (damagedKey?: string) =>
  storedJson({ key: 'draft', schema, fallback, ...(damagedKey !== undefined && { damagedKey }) })

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})
afterEach(() => void vi.unstubAllGlobals())

test('a stored value is read again, and after its removal the fallback is read', () => {
  expect(draft().read()).toEqual(fallback)
  expect(draft().write({ title: 'Rain' })).toBe(true)
  expect(localStorage.getItem('draft')).toBe('{"title":"Rain"}')
  expect(draft().read()).toEqual({ title: 'Rain' })
  draft().remove()
  expect(draft().read()).toEqual(fallback)
})

test('a value of one tab is stored in the session storage alone', () => {
  const ofTab = storedJson({ area: 'sessionStorage', key: 'draft', schema, fallback })
  ofTab.write({ title: 'Rain' })
  expect([storedKeys('localStorage'), storedKeys('sessionStorage')]).toEqual([[], ['draft']])
  removeStored('sessionStorage', 'draft')
  expect(ofTab.read()).toEqual(fallback)
})

test.each(['{', 'null', '{"title":7}', ''])(
  'a person whose stored value is %j gets the fallback, and the value stays where it is',
  (damaged) => {
    localStorage.setItem('draft', damaged)
    expect(draft().read()).toBe(fallback)
    expect(localStorage.getItem('draft')).toBe(damaged)
  },
)

test('a damaged value is moved to the key for damaged values, and stays where there is no room [S48]', () => {
  localStorage.setItem('draft', '{')
  fillStorage()
  expect(draft('damaged').read()).toBe(fallback)
  expect(storedKeys('localStorage')).toEqual(['draft'])
  vi.unstubAllGlobals()
  expect(draft('damaged').read()).toBe(fallback)
  expect({ ...localStorage }).toEqual({ damaged: '{' })
})

test('a value that did not change is the same object, and after a change by another tab it is the new value', () => {
  const kept = draft()
  kept.write({ title: 'Rain' })
  const first = kept.read()
  expect(kept.read()).toBe(first)
  draft().write({ title: 'Sun' })
  expect(kept.read()).toEqual({ title: 'Sun' })
})

test('a text is stored as it is, and one that is not allowed is not read', () => {
  const width = storedText('width', { allowed: ['narrow', 'wide'] })
  expect(width.read()).toBeNull()
  width.write('wide')
  expect([localStorage.getItem('width'), width.read()]).toEqual(['wide', 'wide'])
  localStorage.setItem('width', 'enormous')
  expect([width.read(), storedText('width').read()]).toEqual([null, 'enormous'])
})

test.each([
  ['missing', undefined],
  [
    'forbidden',
    new Proxy(
      {},
      {
        get: () => {
          throw new DOMException('forbidden', 'SecurityError')
        },
      },
    ),
  ],
])('a person whose storage is %s gets fallbacks, and nothing throws', (_state, storage) => {
  vi.stubGlobal('localStorage', storage)
  expect([draft('damaged').write({ title: 'Rain' }), storedText('width').write('wide')]).toEqual([
    false,
    false,
  ])
  draft().remove()
  expect([draft().read(), storedText('width').read(), storedKeys('localStorage')]).toEqual([
    fallback,
    null,
    [],
  ])
})

test('what a person logs out of in another tab is stored in no tab, until that person signs in again [S48]', () => {
  const [ana, ben] = ['k7q2m4xp3d', 'b7q2m4xp3d']
  const day = (owner: string) => storedText(personKey('diary', owner, '2025-06-10'))
  markLoggedOut(ana)
  expect([day(ana).write('Rain'), day(ben).write('Wind')]).toEqual([false, true])
  expect(isStoringStopped(ana)).toBe(true)
  unmarkLoggedOut(ben)
  expect(day(ana).write('Rain')).toBe(false)
  unmarkLoggedOut(ana)
  expect(day(ana).write('Rain')).toBe(true)
})
