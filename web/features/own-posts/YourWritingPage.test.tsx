import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Draft } from '#contract/drafts/draft.ts'
import { createDraft, deleteDraft, getDraft, listDrafts } from '#contract/drafts/endpoints.ts'
import {
  deleteTakenBackPost,
  listTakenBackPosts,
  restorePost,
  takeBackPost,
  type TakenBackPost,
} from '#contract/feed/own/endpoints.ts'
import { listOwnPosts, type OwnPost } from '#contract/feed/review/endpoints.ts'
import { FakeSource, fakeSources } from '#web/lib/live/testing.ts'
import { button, press, show, startTestPage } from '#web/testing/page.tsx'
import { ofWaitingPost } from '#web/testing/own-posts.ts'
import { ana, guest } from '#web/testing/people.ts'
import { YourWritingPage } from './YourWritingPage.tsx'

const server = startTestPage()
beforeEach(() => {
  fakeSources()
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true })
})
const open = (list?: string, user = ana) =>
  show(<YourWritingPage />, { at: list ? `/writing?list=${list}` : '/writing', user })
const id = (n: number) => `01900000-0000-7000-8000-00000000000${n}`

const aListed = (n: number, beginning: string, postId: string | null = null) => ({
  id: id(n),
  beginning,
  wordCount: 1200,
  updatedAt: '2025-06-10T10:00:00.000Z',
  postId,
})
const anOwnPost = (n: number, more: Partial<OwnPost> = {}): OwnPost => ({
  id: id(n),
  beginning: 'Rain\n\nall night',
  wordCount: 3,
  ...ofWaitingPost,
  ...more,
})
const published = { status: 'published', publishedAt: '2025-06-10T10:00:00.000Z' } as const
const rows = async (name: string) =>
  within(await screen.findByRole('list', { name })).getAllByRole('listitem')

test('a person finds the drafts with first line, words and the time on this device, and continues each where it is written [LOOP-06]', async () => {
  vi.stubEnv('TZ', 'Asia/Tokyo')
  onTestFinished(() => void vi.unstubAllEnvs())
  server.on(listDrafts, [aListed(1, 'The moon\nis late'), aListed(2, 'The mooon', id(2)), aListed(3, ' ')])
  open()
  const drafts = await rows('Drafts')
  expect(drafts.map((row) => row.textContent)).toEqual([
    'The moon1,200 words, changed Jun 10, 2025, 7:00 PMDelete',
    'The mooon1,200 words, changed Jun 10, 2025, 7:00 PM, changes a postDelete',
    'Without words1,200 words, changed Jun 10, 2025, 7:00 PMDelete',
  ])
  expect(drafts.map((row) => within(row).getByRole('link').getAttribute('href'))).toEqual([
    `/write/${id(1)}`,
    `/write/post/${id(2)}`,
    `/write/${id(3)}`,
  ])
})

const aDraft: Draft = {
  id: id(1),
  content: 'The moon\nis late',
  authorName: 'Nightingale',
  postType: 'premium',
  form: 'verse',
  category: 'Poetry',
  tags: ['moon'],
  postId: null,
  createdAt: '2025-06-10T10:00:00.000Z',
  updatedAt: '2025-06-10T10:00:00.000Z',
}

test('a person deletes a draft, and Undo brings it back with its choices [LOOP-06]', async () => {
  server.on(listDrafts, [aListed(1, aDraft.content), aListed(2, 'Another')])
  server.on(getDraft, aDraft)
  server.on(deleteDraft, { ok: true })
  server.on(createDraft, aDraft)
  open()
  await rows('Drafts')
  press('Delete the draft The moon')
  await screen.findByText('Draft deleted')
  expect(await rows('Drafts')).toHaveLength(1)
  press('Undo')
  await waitFor(() => expect(server.inputs(createDraft)).toHaveLength(1))
  const { createdAt: _, updatedAt: __, ...fields } = aDraft
  expect(server.inputs(createDraft)).toEqual([fields])
})

test('a draft that cannot be deleted stays in the list, and the person reads so [LOOP-06]', async () => {
  server.on(listDrafts, [aListed(1, 'The moon')])
  server.refuse(getDraft, 'DraftDamaged')
  open()
  await rows('Drafts')
  server.refuse(getDraft, 'NotAllowed')
  press('Delete the draft The moon')
  expect(await screen.findByText('The draft could not be deleted. Please try again.')).toBeTruthy()
  expect(await rows('Drafts')).toHaveLength(1)
  expect(server.calls(deleteDraft)).toEqual([])
})

/** Opens the menu of an own post, and returns it. */
const openMenu = async (row: HTMLElement) => {
  fireEvent.pointerDown(await within(row).findByRole('button', { name: 'Your post' }), { button: 0 })
  return screen.findByRole('menu')
}
const choose = async (row: HTMLElement, name: string) => {
  const menu = await openMenu(row)
  fireEvent.click(within(menu).getByRole('menuitem', { name }))
}

test('an author finds waiting and published posts apart, each with its words, its state and its menu [LOOP-06 LOOP-23]', async () => {
  const waits = { isVisible: true, decidedAt: null, reason: null }
  server.on(listOwnPosts, [
    anOwnPost(1, { beginning: 'Waits' }),
    anOwnPost(2, { beginning: 'Public', ...published, waitingVersion: waits }),
    anOwnPost(4, {
      beginning: 'Changed',
      ...published,
      waitingVersion: { isVisible: false, decidedAt: '2025-06-11T10:00:00.000Z', reason: 'It is too short.' },
    }),
    anOwnPost(3, {
      beginning: 'Hidden one',
      ...published,
      isVisible: false,
      reason: 'It names a neighbour.',
    }),
  ])
  open('review')
  expect((await rows('Your posts')).map((row) => row.textContent)).toEqual([
    'WaitsWaits for reviewSent Jun 9, 2025, 12:00 PM, reviewed within a week, 3 words',
  ])
  fireEvent.click(screen.getByRole('tab', { name: 'Published' }))
  const shown = await rows('Your posts')
  expect(shown.map((row) => row.textContent)).toEqual([
    'PublicPublishedPublished Jun 10, 2025, 12:00 PM, 3 wordsA new version waits for review.',
    'ChangedPublishedPublished Jun 10, 2025, 12:00 PM, 3 wordsThe new version was set aside.It is too short.',
    'Hidden oneHiddenPublished Jun 10, 2025, 12:00 PM, 3 wordsIt names a neighbour.',
  ])
  expect(location.search).toBe('?list=published')
  server.on(listDrafts, [])
  const actions = within(await openMenu(shown[0]!)).getAllByRole('menuitem')
  expect(actions.map(({ textContent }) => textContent)).toEqual(['Edit', 'Versions', 'Unpublish', 'Delete'])
  fireEvent.click(actions[0]!)
  expect(location.pathname).toBe(`/write/post/${id(2)}`)
})

test('an author unpublishes a post, Undo restores it, and the toast leads to what was taken back [LOOP-06 LOOP-08]', async () => {
  server.on(listOwnPosts, [
    anOwnPost(1, { beginning: 'Public', ...published }),
    anOwnPost(2, { beginning: 'Snow', ...published }),
  ])
  server.on(takeBackPost, { ok: true })
  server.on(restorePost, { id: id(1), status: 'published', createdAt: '2025-06-10T10:00:00.000Z' })
  open('published')
  server.on(listTakenBackPosts, [])
  const [row] = await rows('Your posts')
  server.on(listOwnPosts, [anOwnPost(2, { beginning: 'Snow', ...published })])
  within(row!).getByRole('button', { name: 'Your post' }).focus()
  await choose(row!, 'Unpublish')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Snow' })))
  const link = await screen.findByRole('link', { name: 'Taken back' })
  expect(server.calls(takeBackPost)).toMatchObject([
    { params: { id: id(1) }, query: { kind: 'unpublished' } },
  ])
  fireEvent.click(link)
  expect(screen.getByRole('tab', { name: 'Taken back' }).getAttribute('aria-selected')).toBe('true')
  press('Undo')
  await waitFor(() => expect(server.calls(restorePost)).toMatchObject([{ params: { id: id(1) } }]))
})

test('a person who works through a list by keys has the focus on the next row, on the row before the last, and on the title after all rows [LOOP-06]', async () => {
  const inList = [1, 2, 3].map((number) => aListed(number, `Draft ${number}`))
  server.on(listDrafts, () => [...inList])
  server.on(getDraft, ({ params }) => ({ ...aDraft, id: params.id }))
  server.on(deleteDraft, ({ params }) => {
    inList.splice(
      inList.findIndex((draft) => draft.id === params.id),
      1,
    )
    return { ok: true } as const
  })
  open()
  await rows('Drafts')
  const remove = async (number: number) => {
    button(`Delete the draft Draft ${number}`).focus()
    press(`Delete the draft Draft ${number}`)
    await waitFor(() => expect(screen.queryByRole('link', { name: `Draft ${number}` })).toBeNull())
  }
  await remove(2)
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Draft 3' }))
  await remove(3)
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Draft 1' }))
  await remove(1)
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
})

test('an author restores a post that was taken back, or deletes it for good after a question that names it [LOOP-06 LOOP-08]', async () => {
  vi.stubEnv('TZ', 'Asia/Tokyo')
  onTestFinished(() => void vi.unstubAllEnvs())
  const takenBack: TakenBackPost = {
    id: id(1),
    beginning: 'Rain\n\nall night',
    authorName: 'Ana Lima',
    postType: 'standard',
    status: 'published',
    createdAt: '2025-06-09T10:00:00.000Z',
    publishedAt: '2025-06-09T10:00:00.000Z',
    takenBackAt: '2025-06-10T10:00:00.000Z',
    kind: 'unpublished',
  }
  server.on(listTakenBackPosts, [takenBack, { ...takenBack, id: id(2), beginning: 'Snow', kind: 'deleted' }])
  server.on(restorePost, { id: id(1), status: 'published', createdAt: '2025-06-10T10:00:00.000Z' })
  server.on(deleteTakenBackPost, () => {
    server.on(listTakenBackPosts, [])
    return { ok: true } as const
  })
  open('taken')
  expect((await rows('Posts that you took back')).map((row) => row.textContent)).toEqual([
    'RainUnpublished Jun 10, 2025, 7:00 PMRestore RainDelete for good Rain',
    'SnowDeleted Jun 10, 2025, 7:00 PMRestore SnowDelete for good Snow',
  ])
  press('Restore Rain')
  expect(await screen.findByText('The post is back')).toBeTruthy()
  expect(server.calls(restorePost)).toMatchObject([{ params: { id: id(1) } }])
  press('Delete for good Rain')
  await screen.findByText(/Delete “Rain” for good\?/)
  press('Cancel')
  expect(server.calls(deleteTakenBackPost)).toEqual([])
  button('Delete for good Rain').focus()
  press('Delete for good Rain')
  await screen.findByText(/Delete “Rain” for good\?/)
  press('Delete')
  await waitFor(() => expect(server.calls(deleteTakenBackPost)).toMatchObject([{ params: { id: id(1) } }]))
  await screen.findByText(/^You have taken no post back\./)
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
})

test.each([
  [undefined, listDrafts, 'You have no drafts.', 'Your drafts could not be loaded.'],
  ['review', listOwnPosts, 'None of your posts waits for review.', 'Your posts could not be loaded.'],
  ['published', listOwnPosts, 'You have not published a post yet.', 'Your posts could not be loaded.'],
  ['taken', listTakenBackPosts, /You have taken no post back\./, 'Your posts could not be loaded.'],
] as const)(
  'a list of %s says that it is empty, and that it could not be loaded [LOOP-06]',
  async (list, call, empty, failed) => {
    server.on(call, [])
    const { unmount } = open(list)
    expect(await screen.findByText(empty)).toBeTruthy()
    unmount()
    server.refuse(call, 'NotAllowed')
    open(list)
    expect(await screen.findByText(failed)).toBeTruthy()
  },
)

test('a guest reads that the draft stays on this device, and sees the own posts without a way to change them [LOOP-06]', async () => {
  server.on(listOwnPosts, [anOwnPost(1, { beginning: 'Waits' })])
  open(undefined, guest)
  expect(await screen.findByText('Without an account your draft is kept on this device only.')).toBeTruthy()
  fireEvent.click(screen.getByRole('tab', { name: 'In review' }))
  await rows('Your posts')
  expect(screen.queryByRole('button', { name: 'Your post' })).toBeNull()
})

test('an author sees the post leave the list In review when an admin approves it, without a reload [LOOP-06]', async () => {
  server.on(listOwnPosts, [anOwnPost(1)])
  open('review')
  expect(await rows('Your posts')).toHaveLength(1)
  server.on(listOwnPosts, [anOwnPost(1, published)])
  await approve()
  expect(await screen.findByText('None of your posts waits for review.')).toBeTruthy()
})

test('an author whose post is approved while the list In review is read at first does not see it there [LOOP-06]', async () => {
  const first = Promise.withResolvers<OwnPost[]>()
  const isFirst = () => server.calls(listOwnPosts).length === 1
  server.on(listOwnPosts, () => (isFirst() ? first.promise : [anOwnPost(1, published)]))
  open('review')
  await approve()
  await act(async () => first.resolve([anOwnPost(1)]))
  expect(await screen.findByText('None of your posts waits for review.')).toBeTruthy()
})

/** An admin approves the first post. */
async function approve() {
  await waitFor(() => expect(FakeSource.open).toHaveLength(1))
  const source = FakeSource.open[0]!
  act(() => source.send('ready', { inbox: [ana.id] }, 'a'))
  const approval = { id: id(1), beginning: 'Rain', publishedAt: published.publishedAt, count: 1 }
  act(() => source.send('post.approved', approval, 'b'))
}
