import type { AppConfig } from '#contract/app/endpoints.ts'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, vi } from 'vitest'
import { checkEmail } from '#contract/account/endpoints.ts'
import { show, startTestPage, type } from '#web/testing/page.tsx'
import { OnboardingPage } from './OnboardingPage.tsx'

export const typed = {
  name: 'Ana Lima',
  email: 'ana@example.org',
  passcode: 'secret1',
  writingSample: 'I write at the kitchen table.',
}

/** A test page whose clock stands still, with the file of all pages of the onboarding. Every address is free. */
export function startOnboarding() {
  const server = startTestPage()
  beforeEach(async () => {
    server.on(checkEmail, { ok: true })
    await import('./steps.tsx')
    vi.useFakeTimers()
  })
  return server
}

/** The request of the second page. */
export const check = 'POST /api/onboarding/email-checks'

export const openOnboarding = (at = '/', settings: Partial<AppConfig> = {}) =>
  show(<OnboardingPage />, { at, settings })

export const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
export const press = async (name: string) => {
  fireEvent.click(screen.getByRole('button', { name }))
  await wait(0)
}
export const title = () => screen.getByRole('heading', { level: 1 }).textContent
export const alertText = () => within(screen.getByRole('alertdialog')).getByRole('heading').textContent
/** The error messages that are shown, joined: an element for messages without one is empty. */
export const messages = () =>
  screen
    .getAllByRole('alert')
    .map(({ textContent }) => textContent)
    .join('')

/** Fills in every field, from the first page to the last. */
export async function fillAll() {
  await press('Next')
  type('Name', typed.name)
  type('Email', typed.email)
  await press('Next')
  type('Passcode', typed.passcode)
  await press('Next')
  type('A few words about yourself', typed.writingSample)
  expect(title()).toBe('AI Analysis')
}
