import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  changePostsVisibility,
  changePostVisibility,
  listAdminPosts,
  listTodaysPosts,
} from '#contract/feed/review/endpoints.ts'
import { erasePost } from '#contract/erasing/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { confirmErasure, eraseDialog } from '#web/features/erasing/testing.tsx'
import { anAdminPost, box, fillQueue, open, startAdminPage } from './testing.tsx'

const server = startAdminPage()

test("an admin switches between today's posts and all posts, and hides and shows a post [ADM-06 ADM-10 ADM-11]", async () => {
  fillQueue(0)
  let shown = anAdminPost({ authorName: 'Of today' })
  server.on(listTodaysPosts, () => [shown])
  server.on(listAdminPosts, () => [shown, anAdminPost({ authorName: 'Of old' })])
  server.on(changePostVisibility, ({ input }) => (shown = { ...shown, isVisible: input.isVisible }))
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'Hide the post of Of today' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Show the post of Of today' }))
  expect(await screen.findByRole('button', { name: 'Hide the post of Of today' })).toBeTruthy()
  expect(server.inputs(changePostVisibility)).toEqual([{ isVisible: false }, { isVisible: true }])
  expect(screen.queryByText('Of old')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'All Posts' }))
  expect(await screen.findByText('Of old')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'All Posts' }).getAttribute('aria-pressed')).toBe('true')
})

test('an admin searches all posts and turns the pages: one page stands in the document [API-38]', async () => {
  server.onPages(listAdminPosts, [
    [anAdminPost({ authorName: 'First page' })],
    [
      anAdminPost({
        authorName: 'Second page',
        isVisible: false,
        decidedAt: '2025-06-10T09:00:00.000Z',
        decidedBy: 'Bela Reed',
        reason: 'Too long.',
      }),
    ],
  ])
  open('all-posts')
  expect(await screen.findByText('First page')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Older' }))
  expect(await screen.findByText('Second page')).toBeTruthy()
  expect(screen.queryByText('First page')).toBeNull()
  expect(screen.getByText(/^Bela Reed decided on .*: Too long\.$/)).toBeTruthy()
  expect(screen.getByText('Hidden', { selector: 'span' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Newer' }))
  expect(await screen.findByText('First page')).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Text or author'), { target: { value: ' night ' } })
  fireEvent.change(screen.getByLabelText('State'), { target: { value: 'Set aside' } })
  fireEvent.click(screen.getByRole('button', { name: 'Search' }))
  await waitFor(() =>
    expect(server.calls(listAdminPosts).at(-1)!.query).toEqual({
      status: 'pending',
      isVisible: 'false',
      q: 'night',
      limit: '50',
    }),
  )
})

test('an admin sets a waiting post aside and returns it to the queue, and is refused when another admin was first [ADM-18]', async () => {
  let listed = anAdminPost({ authorName: 'One', status: 'pending', publishedAt: null })
  server.on(listAdminPosts, () => [listed])
  server.on(changePostVisibility, ({ input }) => (listed = { ...listed, isVisible: input.isVisible }))
  open('all-posts')
  fireEvent.click(await screen.findByRole('button', { name: 'Set aside the post of One' }))
  const back = await screen.findByRole('button', { name: 'Return to the queue the post of One' })
  expect(screen.getByText('Set aside', { selector: 'span' })).toBeTruthy()
  fireEvent.click(back)
  expect(await screen.findByText('Waits for review', { selector: 'span' })).toBeTruthy()
  expect(server.inputs(changePostVisibility)).toEqual([
    { isVisible: false, isWaiting: true },
    { isVisible: true },
  ])
  const error = 'Bela Reed has already decided about this post. Nothing was changed.'
  server.refuse(changePostVisibility, 'PostDecided', { error })
  fireEvent.click(screen.getByRole('button', { name: 'Set aside the post of One' }))
  expect(await screen.findByText(error)).toBeTruthy()
})

test('an admin who hides selected posts by keys has the focus on the list [ADM-10]', async () => {
  server.on(listAdminPosts, [anAdminPost({ authorName: 'One' })])
  server.on(changePostsVisibility, ({ input }) => ({ changed: input.postIds }))
  open('all-posts')
  fireEvent.click(await box('Select the post of One'))
  const button = screen.getByRole('button', { name: 'Hide selected' })
  button.focus()
  fireEvent.click(button)
  const list = screen.getByRole('checkbox', { name: 'Select the post of One' }).closest('ul')!
  await waitFor(() => expect(document.activeElement).toBe(list.parentElement))
})

test('an admin sets selected waiting posts aside, never one that another admin has approved meanwhile [ADM-18 ADM-13]', async () => {
  const one = anAdminPost({ authorName: 'One', status: 'pending', publishedAt: null })
  const two = anAdminPost({ authorName: 'Two', status: 'pending', publishedAt: null })
  let listed = [one, two, anAdminPost({ authorName: 'Three' })]
  server.on(listAdminPosts, () => listed)
  const error = 'Bela Reed has already decided about one of these posts. Nothing was changed.'
  server.on(changePostsVisibility, ({ fail }) => {
    listed = listed.map((post) => (post.id === one.id ? { ...post, status: 'published' } : post))
    return fail('PostDecided', { error })
  })
  open('all-posts')
  fireEvent.click(await box('Select the post of One'))
  fireEvent.click(await box('Select the post of Two'))
  expect(screen.getByRole('button', { name: 'Return selected to the queue' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Set selected aside' }))
  expect(await screen.findByText(error)).toBeTruthy()
  await waitFor(async () => expect((await box('Select the post of One')).checked).toBe(false))
  server.on(changePostsVisibility, ({ input }) => ({ changed: input.postIds }))
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('1 post set aside')).toBeTruthy()
  const aside = { isVisible: false, isWaiting: true }
  expect(server.inputs(changePostsVisibility)).toEqual([
    { postIds: [one.id, two.id], ...aside },
    { postIds: [two.id], ...aside },
  ])
})

test('an admin hides waiting and published posts together, and the waiting ones are set aside [ADM-10 ADM-18]', async () => {
  const waiting = anAdminPost({ authorName: 'One', status: 'pending', publishedAt: null })
  const published = anAdminPost({ authorName: 'Two' })
  server.on(listAdminPosts, [published, waiting])
  server.on(changePostsVisibility, ({ input }) => ({ changed: input.postIds }))
  open('all-posts')
  fireEvent.click(await box('Select all'))
  fireEvent.click(screen.getByRole('button', { name: 'Hide selected' }))
  expect(await screen.findByText('2 posts hidden')).toBeTruthy()
  expect(server.inputs(changePostsVisibility)).toEqual([
    { postIds: [waiting.id], isVisible: false, isWaiting: true },
    { postIds: [published.id], isVisible: false },
  ])
})

test('an admin hides several posts, and reads how many changed [ADM-10 ADM-11]', async () => {
  const listed = [anAdminPost({ authorName: 'One' }), anAdminPost({ authorName: 'Two' })]
  server.on(listAdminPosts, listed)
  server.on(changePostsVisibility, { changed: [listed[1]!.id] })
  open('all-posts')
  fireEvent.click(await box('Select all'))
  fireEvent.click(screen.getByRole('button', { name: 'Hide selected' }))
  expect(await screen.findByText('1 post hidden')).toBeTruthy()
  expect(server.inputs(changePostsVisibility)).toEqual([
    { postIds: listed.map(({ id }) => id), isVisible: false },
  ])
})

test('an admin whose colleague approved the post meanwhile reads so; the row shows it, and the reason stays with its decision [ADM-18]', async () => {
  const one = anAdminPost({ authorName: 'One', status: 'pending', publishedAt: null })
  let listed = one
  server.on(listAdminPosts, () => [listed])
  const error = 'Bela Reed has already decided about this post. Nothing was changed.'
  server.on(changePostVisibility, ({ fail }) => {
    listed = { ...one, status: 'published', publishedAt: one.createdAt }
    return fail('PostDecided', { error })
  })
  open('all-posts')
  const ask = async (name: RegExp) => {
    fireEvent.click(await screen.findByRole('button', { name }))
    const dialog = within(await screen.findByRole('dialog'))
    const field = dialog.getByLabelText<HTMLTextAreaElement>('Reason (optional)')
    await waitFor(() => expect(field.readOnly).toBe(false))
    return { dialog, field }
  }
  const { dialog, field } = await ask(/^Set aside with a reason/)
  fireEvent.change(field, { target: { value: 'Too long.' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Set aside' }))
  expect(await screen.findByText(error)).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Hide the post of One' })).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect((await ask(/^Hide with a reason/)).field.value).toBe('')
})

test('an admin on a page whose posts are gone reads so, and returns to the newest posts [API-38]', async () => {
  const newest = anAdminPost({ authorName: 'Newest' })
  server.onPages(listAdminPosts, [[newest], []])
  open('all-posts')
  fireEvent.click(await screen.findByRole('button', { name: 'Older' }))
  expect(await screen.findByText('This page has no posts any more')).toBeTruthy()
  expect(screen.queryByText('There are no such posts')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Show the newest posts' }))
  expect(await screen.findByText('Newest')).toBeTruthy()
})

test('an admin erases a post of the list, and a waiting version by its own words [INST-13]', async () => {
  let posts = [
    anAdminPost({ authorName: 'Ana', id: '01900000-0000-7000-9000-0000000000e1' }),
    anAdminPost({
      authorName: 'Ben',
      id: '01900000-0000-7000-9000-0000000000e2',
      status: 'pending',
      publishedAt: null,
      replacesId: '01900000-0000-7000-9000-0000000000e3',
    }),
  ]
  server.on(listAdminPosts, () => posts)
  server.on(erasePost, ({ params }) => {
    posts = posts.filter(({ id }) => id !== params.id)
    return done
  })
  open('all-posts')
  fireEvent.click(await screen.findByRole('button', { name: 'Erase the post of Ben' }))
  await eraseDialog('new version')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  fireEvent.click(screen.getByRole('button', { name: 'Erase the post of Ana' }))
  await confirmErasure('post')
  await waitFor(() => expect(screen.queryByText('Ana')).toBeNull())
  expect(screen.getByText('Ben')).toBeTruthy()
  expect(server.calls(erasePost).map(({ params }) => params)).toEqual([
    { id: '01900000-0000-7000-9000-0000000000e1' },
  ])
})
