import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Pages } from '#web/routes.tsx'
import { Gate } from './Gate.tsx'
import { admin, show, startFakes } from './testing.tsx'

const { led } = startFakes()

const house = (
  <Gate onboarding={<p>The door</p>}>
    <Pages />
  </Gate>
)
const main = () => within(screen.getByRole('main'))
const heading = () => main().findByRole('heading', { level: 1 })

test.each([
  ['/', 'Feed'],
  ['/dashboard', 'Feed'],
  ['/diary', 'Diary'],
  ['/projects', 'Projects'],
  ['/users', 'People'],
  ['/zimmers', 'Z!mmer Profiles'],
  ['/zimmers?view=rooms', 'Z!mmers'],
  ['/calendar', 'Calendar'],
  ['/messages', 'Messages'],
  ['/reports', 'Writing Reports'],
  ['/settings', 'Settings'],
  ['/admin-users', 'User Management'],
  ['/admin', 'Admin Panel'],
  ['/about', 'Z!mmer'],
])(
  '%s shows the page %s in the frame, under one heading [SHELL-01 SHELL-02 SHELL-03 SHELL-04 SHELL-05 SHELL-06 SHELL-07 SHELL-08 SHELL-09 SHELL-10 SHELL-11 SHELL-12 SHELL-13 SHELL-19]',
  async (at, title) => {
    show(house, { at, user: admin })
    expect((await heading()).textContent).toBe(title)
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1)
    expect(screen.getByRole('region', { name: 'Account' })).toBeTruthy()
    await waitFor(() => expect(document.title).toMatch(/^[^·]+ · Z!mmer$/))
    expect(landmarkNames()).toEqual([...new Set(landmarkNames())])
  },
)

const landmarkNames = () =>
  screen
    .getAllByRole('region')
    .map((part) => part.getAttribute('aria-label') ?? nameBy(part.getAttribute('aria-labelledby')))
const nameBy = (id: string | null) => document.getElementById(id ?? '')?.textContent

test('the about page says what this is and how to write to us, and leads back to the feed [SHELL-13 SHELL-14 SHELL-23]', async () => {
  show(house, { at: '/about' })
  expect((await heading()).textContent).toBe('Z!mmer')
  expect(main().getByText(/a house of rooms for people who write/)).toBeTruthy()
  expect(main().getByText(/^Version 1\.0\.0/)).toBeTruthy()
  const contact = main().getByRole('link', { name: 'help@example.org' })
  expect(contact.getAttribute('href')).toBe('mailto:help@example.org')
  expect(main().getByRole('link', { name: 'Back' }).getAttribute('href')).toBe('/dashboard')
})

test.each(['/messages', '/reports', '/admin'])(
  'a visitor at %s is asked in, and comes to the door [SHELL-52 SHELL-53]',
  async (at) => {
    show(house, { at, user: null })
    fireEvent.click(await main().findByRole('button', { name: 'Sign In' }))
    expect(led).toHaveBeenCalledExactlyOnceWith('/?onboarding=true')
  },
)
