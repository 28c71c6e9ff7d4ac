import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { X } from 'lucide-react'
import { afterEach, expect, test, vi } from 'vitest'
import { IconButton } from './IconButton.tsx'

afterEach(cleanup)

test('a person who presses an icon button again while its work goes on begins it once, and keeps the focus there', () => {
  const work = vi.fn<() => void>()
  const buttonOf = (busy: boolean) => <IconButton label="Delete" icon={X} busy={busy} onClick={work} />
  const { rerender } = render(buttonOf(false))
  const button = screen.getByRole('button', { name: 'Delete' })
  button.focus()
  fireEvent.click(button)
  rerender(buttonOf(true))
  fireEvent.click(button)
  expect(work).toHaveBeenCalledTimes(1)
  expect(document.activeElement).toBe(button)
})
