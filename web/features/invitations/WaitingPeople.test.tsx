import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useEffect } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { confirmAcceptance, declineAcceptance, listAcceptances } from '#contract/invitations/endpoints.ts'
import type { Acceptance } from '#contract/invitations/invitation.ts'
import { done } from '#contract/schemas.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { useInvitationsCache, WaitingPeople } from './index.ts'

const server = startTestPage()
const ben: Acceptance = { userId: 'k7q2m4xp3e', name: 'Ben Ode', acceptedAt: '2026-11-22T10:00:00.000Z' }
const cleo: Acceptance = { userId: 'k7q2m4xp3f', name: 'Cleo Ross', acceptedAt: '2026-11-22T09:00:00.000Z' }

let waiting: Acceptance[]
const answered = ({ userId }: { userId: string }) => {
  waiting = waiting.filter((person) => person.userId !== userId)
}
beforeEach(() => {
  waiting = [ben, cleo]
  server.on(listAcceptances, () => waiting)
  server.on(confirmAcceptance, ({ input }) => {
    answered(input)
    return { id: input.userId, username: 'ben', firstName: 'Ben', lastName: 'Ode', email: null, roomId: null }
  })
  server.on(declineAcceptance, ({ params }) => {
    answered(params)
    return done
  })
})

let cache: ReturnType<typeof useInvitationsCache>
function Page() {
  const known = useInvitationsCache()
  useEffect(() => {
    cache = known
  })
  return (
    <main id="main" tabIndex={-1}>
      <WaitingPeople />
    </main>
  )
}
async function openPage() {
  show(<Page />, { user: ana })
  await act(async () => {})
}
const shown = () => [...document.querySelectorAll('main li p')].map(({ textContent }) => textContent)
const expectShown = (names: string[]) =>
  waitFor(() => expect(shown()).toEqual(names.map((name) => `${name} followed your invitation.`)))
const press = async (name: RegExp) => fireEvent.click(await screen.findByRole('button', { name }))

test('a person adds one who followed the invitation, and declines another, who is not told [PPL-07 LOOP-24]', async () => {
  await openPage()
  await expectShown(['Ben Ode', 'Cleo Ross'])
  await press(/^Add as friend.*Ben Ode/)
  expect(await screen.findByText('Ben Ode is your friend now.')).toBeTruthy()
  await expectShown(['Cleo Ross'])
  const added = within(screen.getByRole('region', { name: 'You and Ben Ode are friends' }))
  const links = added.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
  expect(links).toEqual([
    ['Write to Ben Ode', `/messages?friend=${ben.userId}`],
    ['Open a room together', `/zimmers?view=rooms&with=${ben.userId}`],
  ])
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Waiting for your answer' }))
  await press(/^Not now.*Cleo Ross/)
  expect(await screen.findByText('Cleo Ross is not added, and is not told.')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Waiting for your answer')).toBeNull())
  expect(document.activeElement?.id).toBe('main')
  expect(server.inputs(confirmAcceptance)).toEqual([{ userId: ben.userId }])
  expect(server.calls(declineAcceptance).map(({ params }) => params)).toEqual([{ userId: cleo.userId }])
})

test('a person sees who follows the invitation while the page is open, and each once [PPL-07]', async () => {
  waiting = []
  await openPage()
  expect(screen.queryByText('Waiting for your answer')).toBeNull()
  act(() => cache.addWaiting(ben))
  act(() => cache.addWaiting(ben))
  await expectShown(['Ben Ode'])
})

test('a person sees who follows the invitation while the page reads who waits for the first time [PPL-07 R8]', async () => {
  const first = Promise.withResolvers<Acceptance[]>()
  server.on(listAcceptances, () => first.promise)
  await openPage()
  expect(shown()).toEqual([])
  server.on(listAcceptances, [ben])
  act(() => cache.addWaiting(ben))
  await act(async () => first.resolve([]))
  await expectShown(['Ben Ode'])
})

test('a person who answered on another device reads that nobody waits any more [PPL-07]', async () => {
  waiting = [ben]
  server.on(confirmAcceptance, ({ fail }) => {
    waiting = []
    return fail('AcceptanceNotFound')
  })
  await openPage()
  await press(/^Add as friend/)
  expect(await screen.findByText('This person no longer waits for your answer.')).toBeTruthy()
  await expectShown([])
})

test('a person whose answer is refused reads why, and the question stays [PPL-07]', async () => {
  server.refuse(confirmAcceptance, 'TooManyFriends')
  await openPage()
  await press(/^Add as friend.*Ben Ode/)
  expect(await screen.findByText('One of you already has 1,000 friends.')).toBeTruthy()
  await expectShown(['Ben Ode', 'Cleo Ross'])
})

test('a person for whom the questions fail to load can try again [PPL-07]', async () => {
  server.refuse(listAcceptances, 'NotAllowed')
  await openPage()
  expect(await screen.findByText('Answers to your invitations could not be loaded.')).toBeTruthy()
  server.on(listAcceptances, () => waiting)
  await press(/^Try again/)
  await expectShown(['Ben Ode', 'Cleo Ross'])
})
