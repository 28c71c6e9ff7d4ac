import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useTheme } from './theme.ts'

afterEach(() => {
  cleanup()
  localStorage.clear()
  delete document.documentElement.dataset['theme']
  vi.restoreAllMocks()
})

function Choice() {
  const [theme, chooseTheme] = useTheme()
  return <button onClick={() => chooseTheme('night')}>{theme}</button>
}

test('the theme is the system’s until a person chooses one, and the choice is kept', async () => {
  render(<Choice />)
  const button = screen.getByRole('button')
  expect(button.textContent).toBe('system')

  await act(async () => void fireEvent.click(button))
  expect(button.textContent).toBe('night')
  expect(document.documentElement.dataset['theme']).toBe('night')
  expect(localStorage.getItem('theme')).toBe('night')
})

test('a theme can be chosen where storage is forbidden', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('forbidden', 'SecurityError')
  })
  render(<Choice />)
  await act(async () => void fireEvent.click(screen.getByRole('button')))
  expect(document.documentElement.dataset['theme']).toBe('night')
})
