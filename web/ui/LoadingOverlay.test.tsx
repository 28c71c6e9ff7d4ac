import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { LoadingOverlay } from './LoadingOverlay.tsx'

afterEach(cleanup)

test.each([['Loading Z!mmer...'], ['Loading...'], ['Loading onboarding...']] as const)(
  'who waits reads %s and is told so [SHELL-54 SHELL-55 SHELL-56]',
  (text) => {
    render(<LoadingOverlay text={text} />)
    expect(screen.getByRole('status').textContent).toBe(text)
  },
)
