import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { createInvitation, listInvitations, withdrawInvitation } from '#contract/invitations/endpoints.ts'
import type { Invitation } from '#contract/invitations/invitation.ts'
import { done } from '#contract/schemas.ts'
import { button, press, show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { InvitationLinks } from './index.ts'

const server = startTestPage()
const token = 'l-SgTqkUSZ8HlWJxRLJ9mUOYhJpPcxTz5SGwXJ4VR_A'
const link = `${location.origin}/invitations#${token}`

/** The links that the server has. */
let open: Invitation[]
let count = 0
const anInvitation = (local = '2026-11-22T10:00:00'): Invitation => ({
  id: `01900000-0000-7000-8000-${String(++count).padStart(12, '0')}`,
  createdAt: new Date(local).toISOString(),
  expiresAt: new Date(new Date(local).getTime() + 7 * 24 * 60 * 60_000).toISOString(),
})

beforeEach(() => {
  open = []
  server.on(listInvitations, () => open)
  server.on(createInvitation, () => {
    const made = anInvitation()
    open = [made, ...open]
    return { ...made, token }
  })
  server.on(withdrawInvitation, ({ params }) => {
    open = open.filter(({ id }) => id !== params.id)
    return done
  })
})

const openLinks = () => show(<InvitationLinks />, { user: ana })
const shownLink = () => screen.findByLabelText<HTMLInputElement>('Your link')
const list = () => screen.queryByRole('list', { name: 'Your open links' })
function setClipboard(clipboard: { writeText: (text: string) => Promise<void> } | undefined) {
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
}

test('a person makes a link, reads until when it is good, and copies it with a button [PPL-07]', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve())
  setClipboard({ writeText })
  openLinks()
  press('Make a link')
  expect((await shownLink()).value).toBe(link)
  expect(screen.getByText('Good until Sunday, November 29')).toBeTruthy()
  press('Copy')
  expect(writeText).toHaveBeenCalledExactlyOnceWith(link)
  expect(await screen.findByText('Link copied')).toBeTruthy()
  // The link that is shown is not listed a second time.
  expect(list()).toBeNull()
})

test('in a browser without a clipboard the button selects the link, so that the person can copy it [PPL-07]', async () => {
  setClipboard(undefined)
  openLinks()
  press('Make a link')
  const field = await shownLink()
  field.blur()
  field.setSelectionRange(0, 0)
  press('Copy')
  await waitFor(() => expect(document.activeElement).toBe(field))
  expect([field.readOnly, field.selectionStart, field.selectionEnd]).toEqual([true, 0, link.length])
})

test('a person sees the open links of earlier days without their addresses, and withdraws one [PPL-07]', async () => {
  open = [anInvitation('2026-11-21T18:30:00'), anInvitation('2026-11-20T09:00:00')]
  const [, kept] = open
  openLinks()
  const items = within(await screen.findByRole('list', { name: 'Your open links' })).getAllByRole('listitem')
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'Good until Saturday, November 28Made Nov 21, 6:30 PMWithdrawthe link made Nov 21, 6:30 PM',
    'Good until Friday, November 27Made Nov 20, 9:00 AMWithdrawthe link made Nov 20, 9:00 AM',
  ])
  press(/^Withdraw.*Nov 21/)
  expect(await screen.findByText('The link is withdrawn.')).toBeTruthy()
  await waitFor(() => expect(within(list()!).getAllByRole('listitem')).toHaveLength(1))
  expect(open).toEqual([kept])
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Invite by link' }))
})

test('a person withdraws the new link, and it is no longer shown [PPL-07]', async () => {
  openLinks()
  press('Make a link')
  await shownLink()
  press(/^Withdraw/)
  await waitFor(() => expect(screen.queryByLabelText('Your link')).toBeNull())
  expect(open).toEqual([])
  expect(button('Make a link')).toBeTruthy()
})

test('a person makes a second link: the first stays in the list [PPL-07]', async () => {
  openLinks()
  press('Make a link')
  await shownLink()
  press('Make another link')
  await waitFor(() => expect(within(list()!).getAllByRole('listitem')).toHaveLength(1))
  expect(open).toHaveLength(2)
})

test('a person with ten open links reads that one has to be withdrawn first [PPL-07]', async () => {
  server.refuse(createInvitation, 'TooManyInvitations')
  openLinks()
  press('Make a link')
  const why = 'You already have 10 open links. Withdraw one of them first.'
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(why))
})

test('a person to whom no answer with the link comes back makes one link only, and reads that it failed [PPL-07 R7]', async () => {
  server.disconnect(createInvitation)
  openLinks()
  press('Make a link')
  await waitFor(() => expect(screen.getByRole('alert').textContent).not.toBe(''), { timeout: 4500 })
  expect(server.calls(createInvitation)).toHaveLength(1)
})

test('a person for whom a link cannot be withdrawn reads so and keeps it; one that is over already is gone [PPL-07]', async () => {
  open = [anInvitation()]
  server.refuse(withdrawInvitation, 'NotAllowed')
  openLinks()
  fireEvent.click(await screen.findByRole('button', { name: /^Withdraw/ }))
  expect(await screen.findByText('The link could not be withdrawn. Please try again.')).toBeTruthy()
  expect(list()).not.toBeNull()
  server.on(withdrawInvitation, ({ fail }) => {
    open = []
    return fail('InvitationNotFound')
  })
  fireEvent.click(await screen.findByRole('button', { name: /^Withdraw/ }))
  await waitFor(() => expect(list()).toBeNull())
})

test('a person whose open links fail to load can try again, and can make a link meanwhile [PPL-07]', async () => {
  server.refuse(listInvitations, 'NotAllowed')
  openLinks()
  expect(await screen.findByText('Your open links could not be loaded.')).toBeTruthy()
  open = [anInvitation()]
  server.on(listInvitations, () => open)
  press('Try again')
  await waitFor(() => expect(list()).not.toBeNull())
})
