import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show, startTestPage } from '#web/testing/page.tsx'
import { LoadingOverlay } from './LoadingOverlay.tsx'

startTestPage()

test.each([['Loading Z!mmer...'], ['Loading...'], ['Loading onboarding...']] as const)(
  'a person who waits reads %s, and a screen reader announces it [SHELL-54 SHELL-55 SHELL-56]',
  (text) => {
    show(<LoadingOverlay text={text} />)
    expect(screen.getByRole('status').textContent).toBe(text)
  },
)
