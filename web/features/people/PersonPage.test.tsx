import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { getSuspension } from '#contract/account/suspensions/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import { followPerson, listFollowedIds } from '#contract/follows/endpoints.ts'
import { addFriend, blockPerson, listFriends } from '#contract/friends/endpoints.ts'
import type { ListedFriend } from '#contract/friends/friend.ts'
import {
  getPerson,
  listPersonPosts,
  listPersonStories,
  type PersonPage as Person,
  type PersonStory,
} from '#contract/people/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { sendReport } from '#web/features/abuse-reports/testing.tsx'
import { aPost } from '#web/features/feed/testing.tsx'
import { serveFollows } from '#web/features/follows/testing.tsx'
import { queryKeyOf } from '#web/lib/api.ts'
import { button, press, show, startTestPage } from '#web/testing/page.tsx'
import { admin, ana, guest } from '#web/testing/people.ts'
import { PersonPage } from './PersonPage.tsx'

const server = startTestPage()

const ben: Person = {
  id: 'b3n0000000',
  name: 'Ben Okoro',
  introduction: 'I write at night.\nMostly poems.',
  joinedAt: '2025-03-02T12:00:00.000Z',
  postCount: 0,
  storyCount: 0,
}
const asFriend: ListedFriend = {
  id: ben.id,
  username: 'ben',
  firstName: 'Ben',
  lastName: 'Okoro',
  email: null,
  unreadCount: 0,
  lastMessageAt: null,
  lastMessage: null,
}
const aStory = (more: Partial<PersonStory> = {}): PersonStory => ({
  id: '01900000-0000-7000-8000-00000000b001',
  name: 'The harbour',
  endedAt: '2025-06-09T12:00:00.000Z',
  passageCount: 1,
  passages: [{ id: '01900000-0000-7000-8000-00000000b002', content: 'It was late.', position: 1 }],
  ...more,
})

interface Opening {
  user?: User | null
  person?: Person
  posts?: PublicPost[]
  stories?: PersonStory[]
  friends?: ListedFriend[]
}

async function openPage({ user = null, person = ben, posts = [], stories = [], friends = [] }: Opening = {}) {
  const counts = { postCount: posts.length, storyCount: stories.length }
  server.on(getPerson, { ...counts, ...person, ...counts })
  server.on(listPersonPosts, posts)
  server.on(listPersonStories, stories)
  server.on(listFriends, friends)
  server.on(listFollowedIds, [])
  const page = show(<PersonPage id={person.id} />, { at: `/people/${person.id}`, user })
  await screen.findByRole('heading', { level: 1, name: person.name })
  return page
}

test('a visitor reads who the writer is, the posts and the stories; there are no actions [PPL-01]', async () => {
  const posts = [
    aPost({ content: 'Night ferry\n\nThe island goes out like a pipe.' }),
    aPost({ content: 'Second' }),
  ]
  await openPage({ posts, stories: [aStory({ passageCount: 3 })] })
  expect(screen.getByText(/I write at night/).textContent).toBe(ben.introduction)
  expect(screen.getByText(/Here since/).textContent).toBe('Here since March 2025')
  expect(screen.getByRole('link', { name: '2 posts' }).getAttribute('href')).toBe('#posts')
  expect(screen.getByRole('link', { name: '1 story' }).getAttribute('href')).toBe('#stories')
  const list = within(screen.getByRole('region', { name: 'Posts' }))
  expect(list.getByText('Night ferry')).toBeTruthy()
  expect(list.getByText('Second')).toBeTruthy()
  const story = within(screen.getByRole('article', { name: 'The harbour' }))
  expect(story.getByRole('link', { name: 'The harbour' }).getAttribute('href')).toMatch(/^\/stories\//)
  expect(story.getByText('It was late.')).toBeTruthy()
  expect(story.getByText('And 2 more passages in the story')).toBeTruthy()
  expect(screen.queryAllByRole('button')).toEqual([])
  expect(document.title).toBe('Ben Okoro · Z!mmer')
})

test('a page without introduction, posts and stories says that nothing is published, and draws no empty sections [PPL-01]', async () => {
  await openPage({ person: { ...ben, introduction: '' } })
  expect(screen.getByText('Ben Okoro has published nothing yet.')).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Posts' })).toBeNull()
  expect(screen.queryByRole('region', { name: 'Stories with others' })).toBeNull()
  expect(screen.queryByText(/introduction/)).toBeNull()
})

test('a person on their own page is led to the settings, and reads that the introduction is missing [PPL-01]', async () => {
  await openPage({ user: ana, person: { ...ben, id: ana.id, introduction: ' ' } })
  expect(screen.getByRole('link', { name: 'Edit your page' }).getAttribute('href')).toBe(
    '/settings#your-page',
  )
  expect(screen.getByText(/You have not written an introduction yet/)).toBeTruthy()
  expect(screen.getByText('You have published nothing under your name yet.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Add Friend' })).toBeNull()
  expect(server.calls(listFriends)).toEqual([])
})

test('a guest sees no actions on the page of a writer', async () => {
  await openPage({ user: guest })
  expect(screen.queryAllByRole('button')).toEqual([])
})

test('a person adds the writer as a friend, and can then write a message', async () => {
  await openPage({ user: ana })
  server.on(addFriend, asFriend)
  fireEvent.click(await screen.findByRole('button', { name: 'Add Friend' }))
  const message = await screen.findByRole('link', { name: 'Message' })
  expect(message.getAttribute('href')).toBe(`/messages?friend=${ben.id}`)
  expect(document.activeElement).toBe(message)
  expect(server.inputs(addFriend)).toEqual([{ friendUserId: ben.id }])
})

test('a person who is removed by the friend whom they have just added can add them again', async () => {
  const { client } = await openPage({ user: ana })
  server.on(addFriend, asFriend)
  fireEvent.click(await screen.findByRole('button', { name: 'Add Friend' }))
  await screen.findByRole('link', { name: 'Message' })
  act(() => void client.setQueryData(queryKeyOf(listFriends), []))
  expect(await screen.findByRole('button', { name: 'Add Friend' })).toBeTruthy()
})

test('a person who is a friend already is led to the conversation', async () => {
  await openPage({ user: ana, friends: [asFriend] })
  expect(await screen.findByRole('link', { name: 'Message' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Add Friend' })).toBeNull()
})

test('a person who cannot add the writer reads why, and can try again', async () => {
  await openPage({ user: ana })
  server.refuse(addFriend, 'TooManyFriends')
  fireEvent.click(await screen.findByRole('button', { name: 'Add Friend' }))
  expect(await screen.findByText('One of you already has 1,000 friends.')).toBeTruthy()
  expect(button('Add Friend')).toBeTruthy()
})

test('a person blocks the writer from the page and is led to the people [PPL-04]', async () => {
  await openPage({ user: ana })
  server.on(blockPerson, done)
  fireEvent.keyDown(await screen.findByRole('button', { name: 'More about Ben Okoro' }), { key: 'Enter' })
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Block' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Block' }))
  await waitFor(() => expect(location.pathname).toBe('/users'))
  expect(server.inputs(blockPerson)).toEqual([{ userId: ben.id }])
})

test('a person reports the writer from the page [PPL-06]', async () => {
  await openPage({ user: ana })
  fireEvent.keyDown(await screen.findByRole('button', { name: 'More about Ben Okoro' }), { key: 'Enter' })
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Report' }))
  expect(await sendReport(server)).toEqual({ kind: 'person', targetId: ben.id })
})

test('an admin suspends the writer from the page, and nobody else is offered it [INST-04]', async () => {
  await openPage({ user: ana })
  const open = async () =>
    fireEvent.keyDown(await screen.findByRole('button', { name: 'More about Ben Okoro' }), { key: 'Enter' })
  await open()
  await screen.findByRole('menuitem', { name: 'Report' })
  expect(screen.queryByRole('menuitem', { name: 'Suspend' })).toBeNull()
  cleanup()
  server.on(getSuspension, null)
  await openPage({ user: admin })
  await open()
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Suspend' }))
  expect(await screen.findByRole('dialog', { name: 'Suspend Ben Okoro' })).toBeTruthy()
  expect(server.calls(getSuspension)).toMatchObject([{ params: { id: ben.id } }])
})

test('a person follows the writer from the page, and a visitor is not asked to [LOOP-17]', async () => {
  await openPage({ user: ana })
  serveFollows(server)
  fireEvent.click(await screen.findByRole('button', { name: 'Follow Ben Okoro' }))
  expect(await screen.findByRole('button', { name: 'Following Ben Okoro' })).toBeTruthy()
  await waitFor(() =>
    expect(server.calls(followPerson).map(({ params }) => params)).toEqual([{ personId: ben.id }]),
  )
  cleanup()
  await openPage()
  expect(screen.queryByRole('button', { name: /^Follow/ })).toBeNull()
})

test('a reader opens older posts, and the focus goes to the first of them [PPL-01]', async () => {
  server.on(getPerson, { ...ben, postCount: 2 })
  server.on(listPersonStories, [])
  server.onPages(listPersonPosts, [[aPost({ content: 'Newest' })], [aPost({ content: 'Oldest' })]])
  show(<PersonPage id={ben.id} />, { at: `/people/${ben.id}`, user: null })
  await screen.findByText('Newest')
  fireEvent.click(screen.getByRole('link', { name: 'Show more' }))
  await screen.findByText('Oldest')
  expect(screen.getByText('Newest')).toBeTruthy()
  await waitFor(() => expect(document.activeElement?.closest('li')?.textContent).toContain('Oldest'))
  expect(screen.queryByRole('link', { name: 'Show more' })).toBeNull()
})

test('a visitor who opens older texts at their address has links to the newest and to the next ones [PUB-01 PPL-01]', async () => {
  server.on(getPerson, { ...ben, postCount: 3, storyCount: 3 })
  server.onPages(listPersonPosts, [
    [aPost({ content: 'Newest' })],
    [aPost({ content: 'Old' })],
    [aPost({ content: 'Oldest' })],
  ])
  server.onPages(listPersonStories, [[aStory()], [aStory({ name: 'The old harbour' })], [aStory()]])
  const path = `/people/${ben.id}`
  show(<PersonPage id={ben.id} />, { at: `${path}?posts-before=2`, user: null })
  await screen.findByText('Old')
  const links = (name: string) =>
    screen.getAllByRole('link', { name }).map((link) => link.getAttribute('href'))
  expect(links('← Newest posts')).toEqual([path])
  expect(links('Show more')).toEqual([`${path}?posts-before=3`, `${path}?stories-before=2`])
  expect(screen.getByText('The harbour')).toBeTruthy()
  fireEvent.click(screen.getByRole('link', { name: '← Newest posts' }))
  expect(await screen.findByText('Newest')).toBeTruthy()
  expect(screen.queryByText('← Newest posts')).toBeNull()
})

test('a visitor who opens older stories at their address has a link to the newest ones [PUB-01 PPL-01]', async () => {
  server.on(getPerson, { ...ben, storyCount: 2 })
  server.on(listPersonPosts, [])
  server.onPages(listPersonStories, [[aStory()], [aStory({ name: 'The old harbour' })]])
  show(<PersonPage id={ben.id} />, { at: `/people/${ben.id}?stories-before=2`, user: null })
  expect(await screen.findByText('The old harbour')).toBeTruthy()
  expect(screen.getByRole('link', { name: '← Newest stories' }).getAttribute('href')).toBe(
    `/people/${ben.id}`,
  )
})

test('a long post is cut, and leads to the article', async () => {
  const post = aPost({ content: 'word '.repeat(400) })
  await openPage({ posts: [post] })
  fireEvent.click(screen.getByRole('link', { name: 'Continue reading' }))
  expect(location.pathname).toBe(`/posts/${post.id}`)
})

test('a reader whose page cannot be loaded reads so, and can try again [PPL-01]', async () => {
  for (const call of [getPerson, listPersonPosts, listPersonStories]) server.refuse(call, 'NotAllowed')
  show(<PersonPage id={ben.id} />, { at: `/people/${ben.id}`, user: null })
  await screen.findByText('This page could not be loaded.')
  server.on(getPerson, ben)
  server.on(listPersonPosts, [])
  server.on(listPersonStories, [])
  press('Try again')
  expect(await screen.findByRole('heading', { level: 1, name: 'Ben Okoro' })).toBeTruthy()
})
