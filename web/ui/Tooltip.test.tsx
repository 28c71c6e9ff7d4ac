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

test('a tooltip opens when the pointer has rested for 700 ms [SHELL-78]', () => {
  enter('Notifications')
  pass(699)
  expect(shown()).toBeUndefined()
  pass(1)
  expect(shown()).toBe('Notifications')
})

test('a pointer that leaves before 700 ms opens nothing [SHELL-78]', () => {
  enter('Notifications')
  pass(699)
  leave('Notifications')
  pass(5000)
  expect(shown()).toBeUndefined()
})

test('who moves on to a neighbour within 300 ms does not wait again [SHELL-79]', () => {
  enter('Notifications')
  pass(700)
  leave('Notifications')
  pass(299)
  enter('Search')
  pass(0)
  expect(shown()).toBe('Search')
})

test('a pointer that goes straight from one button to its neighbour does not wait again [SHELL-79]', () => {
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

test('who comes to a neighbour after 300 ms waits again [SHELL-79]', () => {
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

test('Escape and a press close a tooltip', () => {
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

test('a finger opens no tooltip', () => {
  fireEvent.pointerEnter(wrapper('Search'), { pointerType: 'touch' })
  pass(5000)
  expect(shown()).toBeUndefined()
})
