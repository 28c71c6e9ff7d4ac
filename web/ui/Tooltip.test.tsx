import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Bell, Search } from 'lucide-react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IconButton } from './IconButton.tsx'

// Each test starts long after the one before, because all tooltips share the time at which the last one closed.
let now = Date.now()

beforeEach(() => {
  vi.useFakeTimers({ now: (now += 1_000_000) })
  render(
    <>
      <IconButton label="Notifications" icon={Bell} />
      <IconButton label="Search" icon={Search} />
    </>,
  )
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
const enter = (name: string) => fireEvent.pointerEnter(wrapper(name), { pointerType: 'mouse' })
const leave = (name: string) => fireEvent.pointerLeave(wrapper(name), { pointerType: 'mouse' })
const shown = () => screen.queryByRole('tooltip')?.textContent

function wrapper(name: string) {
  const parent = screen.getByRole('button', { name }).parentElement
  if (!parent) throw new Error('a tooltip stands around its button')
  return parent
}

test('a person whose pointer rests for 700 ms sees the tooltip [SHELL-78]', () => {
  enter('Notifications')
  pass(699)
  expect(shown()).toBeUndefined()
  pass(1)
  expect(shown()).toBe('Notifications')
})

test('a person whose pointer leaves before 700 ms sees no tooltip [SHELL-78]', () => {
  enter('Notifications')
  pass(699)
  leave('Notifications')
  pass(5000)
  expect(shown()).toBeUndefined()
})

test('a page is removed without work for its tooltips, also for one that was about to open [SHELL-78]', () => {
  enter('Notifications')
  const clear = vi.spyOn(globalThis, 'clearTimeout')
  cleanup()
  expect(clear).not.toHaveBeenCalled()
  clear.mockRestore()
  pass(700)
  expect(shown()).toBeUndefined()
})

test('a person who moves to the next button within 300 ms sees its tooltip without waiting [SHELL-79]', () => {
  enter('Notifications')
  pass(700)
  leave('Notifications')
  pass(299)
  enter('Search')
  pass(0)
  expect(shown()).toBe('Search')
})

test('a person who moves straight from one button to the next sees its tooltip without waiting [SHELL-79]', () => {
  enter('Notifications')
  pass(700)
  // The browser reports leaving and entering by one event.
  fireEvent.pointerOut(screen.getByRole('button', { name: 'Notifications' }), {
    relatedTarget: screen.getByRole('button', { name: 'Search' }),
    pointerType: 'mouse',
  })
  pass(0)
  expect(shown()).toBe('Search')
})

test('a person who moves to the next button after 300 ms waits for its tooltip again [SHELL-79]', () => {
  enter('Notifications')
  pass(700)
  leave('Notifications')
  pass(300)
  enter('Search')
  pass(699)
  expect(shown()).toBeUndefined()
  pass(1)
  expect(shown()).toBe('Search')
})

test('a person closes a tooltip by Escape or by a press', () => {
  enter('Notifications')
  pass(700)
  fireEvent.keyDown(document, { key: 'Escape' })
  expect(shown()).toBeUndefined()

  pass(1000)
  leave('Notifications')
  enter('Notifications')
  pass(700)
  expect(shown()).toBe('Notifications')
  fireEvent.pointerDown(wrapper('Notifications'))
  expect(shown()).toBeUndefined()
})

test.each(['scroll', 'resize'])('a tooltip closes when its button moves, by a %s', (event) => {
  enter('Notifications')
  pass(700)
  expect(shown()).toBe('Notifications')
  fireEvent(event === 'scroll' ? document : window, new Event(event))
  expect(shown()).toBeUndefined()
})

test('a person who touches a button sees no tooltip', () => {
  fireEvent.pointerEnter(wrapper('Search'), { pointerType: 'touch' })
  pass(5000)
  expect(shown()).toBeUndefined()
})
