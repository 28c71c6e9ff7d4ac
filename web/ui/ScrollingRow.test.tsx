import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ScrollingRow } from './ScrollingRow.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function renderRow() {
  const { container } = render(
    <ScrollingRow label="Latest rooms">
      <p>Night train</p>
    </ScrollingRow>,
  )
  const row = screen.getByRole('group', { name: 'Latest rooms' })
  const moves = vi.spyOn(row, 'scrollBy').mockReturnValue()
  return { row, moves, indicator: container.querySelector('[data-shown]') }
}

test('a row of cards has a name and takes the focus, so that keys can scroll it [SHELL-75]', () => {
  const { row } = renderRow()
  row.focus()
  expect(document.activeElement).toBe(row)
  expect(row.textContent).toBe('Night train')
})

test.each([
  ['Scroll left', -400],
  ['Scroll right', 400],
])('a click on %s moves the row by %d px [SHELL-76]', (name, left) => {
  const { moves } = renderRow()
  fireEvent.click(screen.getByRole('button', { name }))
  expect(moves).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ left }))
})

test('the scroll indicator shows while the row moves and hides after one second [SHELL-77]', () => {
  const { row, indicator } = renderRow()
  const shown = () => indicator?.getAttribute('data-shown')
  expect(shown()).toBe('false')

  fireEvent.scroll(row)
  act(() => void vi.advanceTimersByTime(900))
  fireEvent.scroll(row)
  act(() => void vi.advanceTimersByTime(999))
  expect(shown()).toBe('true')

  act(() => void vi.advanceTimersByTime(1))
  expect(shown()).toBe('false')
})
