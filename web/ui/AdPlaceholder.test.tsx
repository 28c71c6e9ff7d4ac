import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { AdPlaceholder } from './AdPlaceholder.tsx'

afterEach(cleanup)

test('the place of an advertisement says what it is [SHELL-74]', () => {
  render(<AdPlaceholder />)
  expect(screen.getByRole('note').textContent).toBe('Advertisement')
})
