import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { countAdminUsers, countWaiting, getStats, listAdminUsers } from '#contract/admin/endpoints.ts'
import { generateContent, listAdminPosts } from '#contract/feed/review/endpoints.ts'
import { aPost } from '#web/features/feed/testing.tsx'
import { fillQueue, open, startAdminPage, stats } from './testing.tsx'

const server = startAdminPage()

test('an admin opens each of the five tabs [ADM-05]', async () => {
  fillQueue(1)
  server.on(listAdminPosts, [])
  open()
  const tabs = screen.getAllByRole('tab')
  expect(tabs.map((tab) => tab.textContent)).toEqual([
    'Post Manager',
    'Create Content',
    'All Posts',
    'User Management',
    'Analytics',
  ])
  expect(await screen.findByText('Author 1')).toBeTruthy()
  for (const [tab, heading] of [
    ['Create Content', 'Create an article'],
    ['All Posts', 'All posts'],
    ['Analytics', 'Posts per day'],
  ] as const) {
    fireEvent.click(screen.getByRole('tab', { name: tab }))
    expect(await screen.findByRole('heading', { level: 2, name: heading })).toBeTruthy()
  }
  server.on(listAdminUsers, [])
  server.on(countAdminUsers, { count: 0 })
  fireEvent.click(screen.getByRole('tab', { name: 'User Management' }))
  expect(await screen.findByRole('searchbox', { name: 'Search users' })).toBeTruthy()
})

test('an admin sees six numbers [ADM-01 ADM-02]', async () => {
  fillQueue(0)
  open()
  await screen.findByText('12,345')
  const numbers = within(screen.getByRole('region', { name: 'Numbers' }))
  const read = numbers
    .getAllByRole('term')
    .map((term) => [term.textContent.trim(), term.nextElementSibling?.textContent])
  expect(read).toEqual([
    ['Total posts', '12,345'],
    ['Likes', '67'],
    ['Comments', '8'],
    ['Users', '910'],
    ['New users in 24 hours', '11'],
    ['Pending', '2'],
  ])
})

test('an admin whose numbers cannot be loaded sees so, and can try again [ADM-01]', async () => {
  fillQueue(0)
  server.refuse(getStats, 'NotAllowed')
  open()
  expect(await screen.findByText('The numbers could not be loaded.')).toBeTruthy()
  server.on(getStats, stats)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('12,345')).toBeTruthy()
})

test('the quick actions create an article, generate posts, lead to the queue and read everything again [ADM-04 ADM-17]', async () => {
  fillQueue(1)
  server.on(generateContent, { posts: [aPost(), aPost()] })
  open('analytics')
  const actions = within(screen.getByRole('region', { name: 'Quick actions' }))
  const act = (name: string) => fireEvent.click(actions.getByRole('button', { name }))
  act('Create article')
  expect(await screen.findByRole('heading', { name: 'Create an article' })).toBeTruthy()
  act('Review pending')
  expect(await screen.findByText('1 post is waiting')).toBeTruthy()
  act('Generate content')
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText('How many'), { target: { value: '2' } })
  fireEvent.change(dialog.getByLabelText('Category'), { target: { value: 'Poetry' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Generate' }))
  expect(await screen.findByText('2 posts generated')).toBeTruthy()
  expect(server.inputs(generateContent)).toEqual([{ count: 2, category: 'Poetry' }])
  const before = server.calls(getStats).length
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  act('Refresh all')
  await waitFor(() => expect(server.calls(getStats).length).toBeGreaterThan(before))
})

test('an admin reads in the links to reports and sign-ups how many wait [INST-02]', async () => {
  fillQueue(0)
  server.on(countWaiting, { posts: 5, reports: 0, signUps: 2 })
  open()
  const links = within(screen.getByRole('navigation', { name: 'Pages of the admin' }))
  await waitFor(() => expect(links.getByRole('link', { name: /^Sign-ups/ }).textContent).toBe('Sign-ups2'))
  expect(links.getByRole('link', { name: /^Reports/ }).textContent).toBe('Reports of readers')
})
