import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { QuietLine } from './QuietLine.tsx'

afterEach(cleanup)

test('a person sees a failure that is only logged as a quiet line with Try again, and no alert [SHELL-91]', () => {
  const onTryAgain = vi.fn<() => void>()
  render(<QuietLine text="The calendar could not be loaded." onTryAgain={onTryAgain} />)
  expect(screen.getByRole('status').textContent).toBe('The calendar could not be loaded.')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.queryByRole('alertdialog')).toBeNull()

  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(onTryAgain).toHaveBeenCalledOnce()
})
