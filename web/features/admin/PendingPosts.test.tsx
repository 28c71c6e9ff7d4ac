import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { approvePost, approvePosts, listPendingPosts } from '#contract/feed/endpoints.ts'
import { getPost } from '#contract/feed/reading/endpoints.ts'
import {
  changePostsVisibility,
  changePostVisibility,
  listAdminPosts,
} from '#contract/feed/review/endpoints.ts'
import { aPost } from '#web/features/feed/testing.tsx'
import {
  anAdminPost,
  box,
  fillQueue,
  leavePage,
  open,
  queue,
  startAdminPage,
  takeFromQueue,
} from './testing.tsx'

const server = startAdminPage()
const bulk = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Approve selected/ })

test('an admin sees the waiting posts, their number, and a checkbox and a button for each [ADM-03 ADM-07]', async () => {
  fillQueue(2)
  open()
  expect(await box('Select the post of Author 1')).toBeTruthy()
  expect(await box('Select the post of Author 2')).toBeTruthy()
  expect(screen.getByText('2 posts are waiting')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Approve the post of Author 1' })).toBeTruthy()
})

test('an admin reads the first 150 characters of a post, with its line breaks [ADM-14]', async () => {
  fillQueue(2)
  queue.posts[0]!.content = `one\n${'x'.repeat(150)}`
  queue.posts[1]!.content = 'y'.repeat(150)
  open()
  const preview = await screen.findByText(/^one x+…$/)
  expect(preview.textContent).toBe(`one\n${'x'.repeat(146)}…`)
  expect(preview.className).toContain('whitespace-pre-wrap')
  expect(screen.getByText('y'.repeat(150))).toBeTruthy()
})

test('an admin reads all of a long post in the list and in the dialog of a decision, and a short one has nothing more to read [ADM-03 ADM-14]', async () => {
  fillQueue(2)
  const verse = `Rain\n\n${'Another line of the night\n'.repeat(300)}The end`
  queue.posts[0]!.content = verse
  queue.posts[1]!.content = 'y'.repeat(150)
  open()
  const more = await screen.findByRole('button', { name: 'Read all of the post of Author 1' })
  expect(screen.getAllByRole('button', { name: /^Read all/ })).toEqual([more])
  expect(screen.queryByText('The end')).toBeNull()
  fireEvent.click(more)
  const text = screen.getByRole('region', { name: 'The text of Author 1' })
  expect(text.textContent).toBe(verse.replace('\n\n', ''))
  expect(text.tabIndex).toBe(0)
  expect(text.querySelectorAll('.verse-line')).toHaveLength(301)
  expect(more.getAttribute('aria-expanded')).toBe('true')
  fireEvent.click(screen.getByRole('button', { name: 'Show the beginning of the post of Author 1' }))
  expect(screen.queryByText('The end')).toBeNull()

  fireEvent.click(screen.getByRole('button', { name: /^Decide with a reason about the post of Author 1/ }))
  const dialog = await screen.findByRole('dialog', { name: 'The post of Author 1' })
  expect(within(dialog).getByRole('region').textContent).toBe(text.textContent)
  expect(within(dialog).getByLabelText('Reason (optional)')).toBeTruthy()
})

test('an admin approves one post, which leaves the list [ADM-03 ADM-12]', async () => {
  fillQueue(2)
  const { id } = queue.posts[0]!
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'Approve the post of Author 1' }))
  expect(await screen.findByText('1 post is waiting')).toBeTruthy()
  expect(screen.queryByText('Author 1')).toBeNull()
  expect(screen.getByText('Author 2')).toBeTruthy()
  leavePage()
  await waitFor(() => expect(server.changes).toEqual([`POST /api/feed/pending/${id}/approve`]))
})

test('an admin approves exactly the selected posts, and nothing without a selection [ADM-08 ADM-09 ADM-13]', async () => {
  fillQueue(3)
  const ids = queue.posts.map(({ id }) => id)
  open()
  await box('Select the post of Author 1')
  expect(bulk().disabled).toBe(true)
  fireEvent.click(bulk())
  expect(server.changes).toEqual([])

  fireEvent.click(await box('Select the post of Author 1'))
  fireEvent.click(await box('Select the post of Author 3'))
  expect(bulk().textContent).toBe('Approve selected (2)')
  fireEvent.click(bulk())
  expect(await screen.findByText('1 post is waiting')).toBeTruthy()
  expect(server.inputs(approvePosts)).toEqual([{ postIds: [ids[0], ids[2]] }])
  expect(await screen.findByText('2 posts approved')).toBeTruthy()
  expect(bulk().disabled).toBe(true)
})

test('an admin selects all posts and none with one box, which shows when only some are selected [ADM-07 ADM-09]', async () => {
  fillQueue(2)
  open()
  const all = await box('Select all')
  fireEvent.click(all)
  expect((await box('Select the post of Author 2')).checked).toBe(true)
  fireEvent.click(await box('Select the post of Author 1'))
  expect(all.checked).toBe(false)
  expect(all.indeterminate).toBe(true)
  fireEvent.click(all)
  fireEvent.click(all)
  expect((await box('Select the post of Author 2')).checked).toBe(false)
  expect(bulk().disabled).toBe(true)
})

test('an admin approves more than 200 selected posts, 200 with each call [ADM-13]', async () => {
  fillQueue(201)
  open()
  fireEvent.click(await box('Select all'))
  fireEvent.click(bulk())
  expect(await screen.findByText('No posts are waiting for review')).toBeTruthy()
  const sizes = server.inputs(approvePosts).map(({ postIds }) => postIds.length)
  expect(sizes).toEqual([200, 1])
})

test('an admin whose bulk approval fails sees so, keeps the selection, and can try again [ERR-27 ADM-13]', async () => {
  fillQueue(2)
  server.refuse(approvePosts, 'UnknownPosts')
  open()
  fireEvent.click(await box('Select all'))
  fireEvent.click(bulk())
  expect(await screen.findByText('Failed to approve posts')).toBeTruthy()
  expect(screen.getByText('2 posts are waiting')).toBeTruthy()
  expect((await box('Select the post of Author 1')).checked).toBe(true)
  server.on(approvePosts, ({ input }) => ({ approved: takeFromQueue(input.postIds).map(({ id }) => id) }))
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('No posts are waiting for review')).toBeTruthy()
  expect(server.changes).toHaveLength(2)
})

test.each([
  ['NotAllowed', 'Failed to approve post'],
  ['SignInRequired', /^Your session has ended\./],
] as const)(
  'an admin whose approval fails with %s sees so at the post, which stays in the list [ERR-27 ADM-12]',
  async (code, sentence) => {
    fillQueue(2)
    server.refuse(approvePost, code)
    open()
    fireEvent.click(await screen.findByRole('button', { name: 'Approve the post of Author 2' }))
    leavePage()
    const row = within((await screen.findByText('Author 2')).closest('li')!)
    expect(await row.findByText(sentence)).toBeTruthy()
    expect(screen.getByText('2 posts are waiting')).toBeTruthy()
  },
)

test('an admin refreshes the list [ADM-03]', async () => {
  fillQueue(1)
  open()
  await screen.findByText('Author 1')
  fillQueue(2)
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  expect(await screen.findByText('2 posts are waiting')).toBeTruthy()
  expect(server.calls(listPendingPosts)).toHaveLength(2)
})

test('an admin whose list cannot be refreshed sees so, and the list stays [ADM-03 SHELL-91]', async () => {
  fillQueue(1)
  open()
  await screen.findByText('Author 1')
  server.refuse(listPendingPosts, 'NotAllowed')
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  expect(await screen.findByText('The list could not be refreshed.')).toBeTruthy()
  expect(screen.getByText('Author 1')).toBeTruthy()
  expect(server.calls(listPendingPosts)).toHaveLength(2)
  server.on(listPendingPosts, queue.posts)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.queryByText('The list could not be refreshed.')).toBeNull())
})

test('an admin without waiting posts sees that the list is empty [ADM-03]', async () => {
  fillQueue(0)
  open()
  expect(await screen.findByText('No posts are waiting for review')).toBeTruthy()
  expect(screen.getByText('0 posts are waiting')).toBeTruthy()
})

test('an admin whose list cannot be loaded sees so, and can try again [ADM-03]', async () => {
  server.refuse(listPendingPosts, 'NotAllowed')
  open()
  expect(await screen.findByText('The waiting posts could not be loaded.')).toBeTruthy()
  fillQueue(1)
  server.on(listPendingPosts, queue.posts)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.getByText('Author 1')).toBeTruthy())
})

test('an admin approves a post with a reason [ADM-12]', async () => {
  fillQueue(1)
  const { id } = queue.posts[0]!
  open()
  fireEvent.click(
    await screen.findByRole('button', { name: 'Decide with a reason about the post of Author 1' }),
  )
  const dialog = within(await screen.findByRole('dialog', { name: 'The post of Author 1' }))
  const field = dialog.getByLabelText<HTMLTextAreaElement>('Reason (optional)')
  await waitFor(() => expect(field.readOnly).toBe(false))
  fireEvent.change(field, { target: { value: 'A fine one.' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Approve' }))
  expect(await screen.findByText('No posts are waiting for review')).toBeTruthy()
  expect(server.inputs(approvePost)).toEqual([{ reason: 'A fine one.' }])
  expect(server.calls(approvePost)[0]!.params).toEqual({ id })
})

test('an admin sets the selected posts aside with one reason [ADM-18]', async () => {
  fillQueue(2)
  const ids = queue.posts.map((post) => post.id)
  server.on(changePostsVisibility, ({ input }) => ({
    changed: takeFromQueue(input.postIds).map(({ id }) => id),
  }))
  open()
  fireEvent.click(await box('Select all'))
  fireEvent.click(screen.getByRole('button', { name: 'Decide with a reason' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Decide about 2 posts' }))
  const field = dialog.getByLabelText<HTMLTextAreaElement>('Reason (optional)')
  await waitFor(() => expect(field.readOnly).toBe(false))
  fireEvent.change(field, { target: { value: 'Too long.' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Set aside' }))
  expect(await screen.findByText('2 posts set aside')).toBeTruthy()
  expect(server.inputs(changePostsVisibility)).toEqual([
    { postIds: ids, isVisible: false, isWaiting: true, reason: 'Too long.' },
  ])
})

test.each([
  ['Select all', 'Approve selected (2)'],
  ['Select all', 'Decide with a reason'],
  ['Select the post of Author 1', 'Approve selected (1)'],
  ['Select the post of Author 1', 'Decide with a reason'],
])(
  'an admin who decides about selected posts by keys has the focus on the title of the queue: %s, %s [ADM-13 ADM-18]',
  async (which, decision) => {
    fillQueue(2)
    const decided = ({ input }: { input: { postIds: string[] } }) =>
      takeFromQueue(input.postIds).map(({ id }) => id)
    server.on(changePostsVisibility, (call) => ({ changed: decided(call) }))
    server.on(approvePosts, (call) => ({ approved: decided(call) }))
    open()
    fireEvent.click(await box(which))
    const button = screen.getByRole('button', { name: decision })
    button.focus()
    fireEvent.click(button)
    if (decision === 'Decide with a reason')
      fireEvent.click(await screen.findByRole('button', { name: 'Set aside' }))
    const title = screen.getByText('Pending submissions')
    await waitFor(() => expect(document.activeElement).toBe(title))
  },
)

test('an admin whose colleague was first reads who it was, and tries again with the other posts [ADM-13]', async () => {
  fillQueue(3)
  const ids = queue.posts.map(({ id }) => id)
  const error = 'Bela Reed has already decided about one of these posts. Nothing was changed.'
  server.on(approvePosts, ({ fail }) => {
    queue.posts = queue.posts.slice(1)
    return fail('PostDecided', { error })
  })
  open()
  fireEvent.click(await box('Select the post of Author 1'))
  fireEvent.click(await box('Select the post of Author 2'))
  fireEvent.click(bulk())
  expect(await screen.findByText(error)).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Author 1')).toBeNull())
  expect((await box('Select the post of Author 2')).checked).toBe(true)
  expect(bulk().textContent).toBe('Approve selected (1)')
  server.on(approvePosts, ({ input }) => ({ approved: takeFromQueue(input.postIds).map(({ id }) => id) }))
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('1 post approved')).toBeTruthy()
  expect(server.inputs(approvePosts).at(-1)).toEqual({ postIds: [ids[1]] })
})

test('an admin whose colleague has decided about all selected posts reads so, and has nothing to try again [ADM-13]', async () => {
  fillQueue(2)
  const error = 'Bela Reed has already decided about this post. Nothing was changed.'
  server.on(approvePosts, ({ fail }) => {
    queue.posts = queue.posts.slice(1)
    return fail('PostDecided', { error })
  })
  open()
  fireEvent.click(await box('Select the post of Author 1'))
  fireEvent.click(bulk())
  expect(await screen.findByText(error)).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Author 1')).toBeNull())
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

test.each([
  ['a waiting post', '', 'Decide with a reason about the post of Author 1', 'Approve'],
  ['selected posts', '', 'Decide with a reason', 'Approve'],
  ['a published post', 'all-posts', /^Hide with a reason/, 'Hide'],
])(
  'an admin whose decision about %s fails reads so in the dialog alone, and the reason stays [ERR-27 ADM-12 ADM-18]',
  async (_what, place, opening, verb) => {
    fillQueue(1)
    server.on(listAdminPosts, [anAdminPost({ authorName: 'Author 1' })])
    const calls = [approvePost, approvePosts, changePostVisibility]
    for (const call of calls) server.refuse(call, 'NotAllowed')
    open(place)
    fireEvent.click(await box('Select all'))
    fireEvent.click(screen.getByRole('button', { name: opening }))
    const dialog = within(await screen.findByRole('dialog'))
    const field = dialog.getByLabelText<HTMLTextAreaElement>('Reason (optional)')
    await waitFor(() => expect(field.readOnly).toBe(false))
    fireEvent.change(field, { target: { value: 'It names a neighbour.' } })
    fireEvent.click(dialog.getByRole('button', { name: verb }))
    expect(await dialog.findByText(/^Failed to (approve|hide)/)).toBeTruthy()
    expect(screen.getAllByText(/^Failed to/)).toHaveLength(1)
    expect(screen.queryByText('Try again')).toBeNull()
    for (const call of calls) server.refuse(call, 'SignInRequired')
    fireEvent.click(dialog.getByRole('button', { name: verb }))
    expect(await dialog.findByText(/^Your session has ended\. .* sign in\./)).toBeTruthy()
    expect(field.value).toBe('It names a neighbour.')
  },
)

test('an admin whose second batch fails in the dialog reads there how many posts were set aside [ADM-13 ADM-18]', async () => {
  fillQueue(201)
  server.on(changePostsVisibility, ({ input, fail }) => {
    if (input.postIds.length < 200) return fail('NotAllowed')
    return { changed: takeFromQueue(input.postIds).map(({ id }) => id) }
  })
  open()
  fireEvent.click(await box('Select all'))
  fireEvent.click(screen.getByRole('button', { name: 'Decide with a reason' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.click(dialog.getByRole('button', { name: 'Set aside' }))
  expect(await dialog.findByText('200 posts set aside. Failed to set posts aside')).toBeTruthy()
})

test('an admin whose second batch fails reads exactly how many posts were approved [ADM-13]', async () => {
  fillQueue(201)
  server.on(approvePosts, ({ input, fail }) => {
    if (input.postIds.length < 200) return fail('NotAllowed')
    return { approved: takeFromQueue(input.postIds).map(({ id }) => id) }
  })
  open()
  fireEvent.click(await box('Select all'))
  fireEvent.click(bulk())
  expect(await screen.findByText('200 posts approved before that.')).toBeTruthy()
  expect(screen.getByText('Failed to approve posts')).toBeTruthy()
  await waitFor(() => expect(screen.getByText('1 post is waiting')).toBeTruthy())
})

test('an admin sees how long posts wait, and lists those past the week, the longest wait first [ADM-07]', async () => {
  fillQueue(2)
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  queue.posts[0]!.createdAt = hoursAgo(8 * 24)
  queue.posts[1]!.createdAt = hoursAgo(6 * 24)
  open()
  const first = within((await screen.findByText('Author 1')).closest('li')!)
  expect(first.getByText('Past the promised week')).toBeTruthy()
  expect(first.getByText(/^Waits 8 days/)).toBeTruthy()
  expect(screen.getByText('Due within 2 days', { selector: 'span' })).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Waiting'), { target: { value: 'overdue' } })
  fireEvent.change(screen.getByLabelText('Order'), { target: { value: 'oldest' } })
  await waitFor(() =>
    expect(server.calls(listPendingPosts).at(-1)!.query).toEqual({
      due: 'overdue',
      order: 'oldest',
      limit: '200',
    }),
  )
})

test('an admin whose colleague was first with one post reads who it was, and the post leaves the list [ADM-12 ADM-18]', async () => {
  fillQueue(2)
  const error = 'Bela Reed has already decided about this post. Nothing was changed.'
  server.on(approvePost, ({ params, fail }) => {
    takeFromQueue([params.id])
    return fail('PostDecided', { error })
  })
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'Approve the post of Author 1' }))
  leavePage()
  expect(await screen.findByText(error)).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Author 1')).toBeNull())
  expect(screen.getByText('1 post is waiting')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

test('a reason that an admin typed for some posts never appears under a decision about other posts [ADM-18]', async () => {
  fillQueue(3)
  open()
  const ask = async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Decide with a reason' }))
    const dialog = within(await screen.findByRole('dialog'))
    const field = dialog.getByLabelText<HTMLTextAreaElement>('Reason (optional)')
    await waitFor(() => expect(field.readOnly).toBe(false))
    return { field, cancel: () => fireEvent.click(dialog.getByRole('button', { name: 'Cancel' })) }
  }
  const toggle = async (name: string) => fireEvent.click(await box(`Select the post of ${name}`))
  await toggle('Author 1')
  const first = await ask()
  fireEvent.change(first.field, { target: { value: 'It names a neighbour.' } })
  first.cancel()
  await toggle('Author 2')
  const second = await ask()
  expect(second.field.value).toBe('')
  second.cancel()
  await toggle('Author 2')
  const again = await ask()
  expect(again.field.value).toBe('It names a neighbour.')
})

test('an admin whose first page has no waiting post reads on, and never reads that the queue is empty [ADM-03]', async () => {
  fillQueue(1)
  server.onPages(listPendingPosts, [[], queue.posts])
  open()
  expect(await screen.findByText('No post that was read so far is waiting')).toBeTruthy()
  expect(screen.queryByText('No posts are waiting for review')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Show the next posts' }))
  expect(await screen.findByText('Author 1')).toBeTruthy()
})

test('an admin sees which waiting post is a new version, and what it changes in the published text [LOOP-07]', async () => {
  const published = aPost({ content: 'It was late.' })
  const version = aPost({ content: 'It was very late.', authorName: 'Author 1', publishedAt: null })
  queue.posts = [{ ...version, status: 'pending', replacesId: published.id }]
  server.on(getPost, published)
  open()
  expect(await screen.findByText('New version of a published post')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Compare with/ })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Open the post of Author 1' }))
  fireEvent.click(await screen.findByRole('button', { name: /^Compare with the published text/ }))
  expect((await screen.findByText(/very/, { selector: 'ins' })).tagName).toBe('INS')
})

test('an admin reads that the published text of a new version is hidden [LOOP-07]', async () => {
  const version = aPost({ content: 'It was very late.', publishedAt: null })
  queue.posts = [{ ...version, status: 'pending', replacesId: version.id }]
  server.refuse(getPost, 'PostNotFound')
  open()
  fireEvent.click(await screen.findByRole('button', { name: /^Open the post of/ }))
  fireEvent.click(await screen.findByRole('button', { name: /^Compare with the published text/ }))
  expect(await screen.findByText(/The published post is hidden\./)).toBeTruthy()
})

test('an admin reads the watched words of a waiting post in the queue and beside its text [INST-06]', async () => {
  fillQueue(2)
  queue.posts[0]!.watchedWords = ['café', 'buy now']
  open()
  expect((await screen.findByText(/^Watched words:/)).textContent).toBe('Watched words: café, buy now')
  expect(screen.getAllByText(/^Watched word/)).toHaveLength(1)
  fireEvent.click(screen.getByRole('button', { name: 'Open the post of Author 1' }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText(/^Watched words in it:/).textContent).toBe(
    'Watched words in it: café, buy now',
  )
})
