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

test('a person finds a row of cards by its name and focuses the row, to scroll it by keys [SHELL-75]', () => {
  const { row } = renderRow()
  row.focus()
  expect(document.activeElement).toBe(row)
  expect(row.textContent).toBe('Night train')
})

test.each([
  ['Scroll left', -400],
  ['Scroll right', 400],
])('a person who presses %s moves the row by %d px [SHELL-76]', (name, left) => {
  const { moves } = renderRow()
  fireEvent.click(screen.getByRole('button', { name }))
  expect(moves).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ left }))
})

test('a person sees the scroll indicator while the row moves, and it is hidden one second later [SHELL-77]', () => {
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
