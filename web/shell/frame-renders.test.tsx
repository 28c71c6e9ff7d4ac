import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useLocation } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { Gate } from './Gate.tsx'

startTestPage()

function Address() {
  const [path] = useLocation()
  return <p>The page of {path}</p>
}

test('a person who goes to another page waits for that page alone: their name in the frame is not rendered again', async () => {
  let reads = 0
  const user = {
    ...ana,
    get firstName() {
      reads++
      return 'Ana'
    },
  }
  show(
    <Gate onboarding={null}>
      <Address />
    </Gate>,
    { user, at: '/calendar' },
  )
  await screen.findByText('The page of /calendar')
  // The parts of the frame that are fetched are drawn.
  await screen.findByRole('button', { name: 'Log Out' })
  const before = reads
  expect(before).toBeGreaterThan(0)
  act(() => navigate('/diary'))
  await screen.findByText('The page of /diary')
  expect(reads).toBe(before)
})
