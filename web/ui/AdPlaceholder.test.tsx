import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { AdPlaceholder } from './AdPlaceholder.tsx'

afterEach(cleanup)

test('a reader sees the word Advertisement in the place of an advertisement [SHELL-74]', () => {
  render(<AdPlaceholder />)
  expect(screen.getByRole('note').textContent).toBe('Advertisement')
})
