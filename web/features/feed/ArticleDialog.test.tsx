import 'fake-indexeddb/auto'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { getPostNeighbours, listMoreByAuthor } from '#contract/feed/links/endpoints.ts'
import { getPost } from '#contract/feed/reading/endpoints.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import { getPerson } from '#contract/people/endpoints.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { saveAs, watchSaving } from '#web/testing/saving.ts'
import { ArticleDialog } from './ArticleDialog.tsx'
import { addComment, readComments } from './comments.ts'
import { aPost } from './testing.tsx'

const server = startTestPage()

const key = 'zimmer-comments'
const otherId = '01900000-0000-7000-8000-00000000abcd'
const ana = {
  id: 'b3n0000000',
  name: 'Ana Lima',
  introduction: 'I write on ferries.',
  joinedAt: '2025-01-01T00:00:00.000Z',
  postCount: 2,
  storyCount: 0,
}

async function openArticle(content = 'A line\nand another', more: Partial<PublicPost> = {}) {
  const post = aPost({ content, ...more })
  server.on(getPost, post)
  server.on(getPostNeighbours, { previous: null, next: null })
  server.on(listMoreByAuthor, [{ id: otherId, title: 'The ship', authorName: 'Ana Lima' }])
  server.on(getPerson, ana)
  show(<ArticleDialog postId={post.id} />, { at: `/posts/${post.id}` })
  await screen.findByTestId('article-content')
  await waitFor(() => expect(comment().readOnly).toBe(false))
  return { post }
}

const comment = () => screen.getByLabelText<HTMLTextAreaElement>('Your comment')
const write = (text: string) => {
  fireEvent.change(comment(), { target: { value: text } })
  return screen.getByRole<HTMLButtonElement>('button', { name: 'Post Comment' })
}

test('a reader opens the whole text of a post with its comments [ART-01 SHELL-94]', async () => {
  const { post } = await openArticle()
  const dialog = screen.getByRole('dialog', { name: 'Ana Lima' })
  expect(within(dialog).getByTestId('article-content').textContent).toBe(post.content)
  expect(within(dialog).getByRole('heading', { name: 'Comments' })).toBeTruthy()
})

test('a reader goes from the actions below a text to its comments [ART-01]', async () => {
  await openArticle()
  fireEvent.click(screen.getByRole('button', { name: 'Comments, 0' }))
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Comments' }))
})

test('a reader starts an article at its title, which has the focus, with author and time below it', async () => {
  await openArticle('The train\n\nIt left at ten.')
  const dialog = screen.getByRole('dialog', { name: 'The train' })
  await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByRole('heading', { level: 1 })))
  expect(dialog.textContent).toContain('Ana Lima · Tue, Jun 10, 11:00')
  expect(within(dialog).getByTestId('article-content').textContent).toBe('It left at ten.')
})

test.each([{ ctrlKey: true }, { metaKey: true }])(
  'a reader posts a comment by Enter with %j, and not by Enter alone',
  async (held) => {
    const { post } = await openArticle()
    write('Lovely')
    fireEvent.keyDown(comment(), { key: 'Enter' })
    expect(readComments(post.id)).toEqual([])
    fireEvent.keyDown(comment(), { key: 'Enter', isComposing: true, ...held })
    expect(readComments(post.id)).toEqual([])
    fireEvent.keyDown(comment(), { key: 'Enter', ...held })
    await waitFor(() => expect(readComments(post.id)).toHaveLength(1))
  },
)

test('a comment of a reader is stored in this browser only, under its post, as plain text of the guest user [ART-03 ART-04 ART-05 ART-06 ART-07]', async () => {
  const { post } = await openArticle()
  fireEvent.click(write('<b>Lovely</b>'))
  expect(await screen.findByText('<b>Lovely</b>')).toBeTruthy()
  expect(screen.getByText('Guest User')).toBeTruthy()
  const kept = JSON.parse(localStorage.getItem(key)!) as Record<string, unknown[]>
  expect(kept).toEqual({
    [post.id]: [
      {
        id: expect.any(String),
        author: 'Guest User',
        content: '<b>Lovely</b>',
        timestamp: expect.stringMatching(/\d/),
        initials: 'GU',
      },
    ],
  })
  expect(server.changes).toEqual([])
  await waitFor(() => expect(comment().value).toBe(''))
})

test.each(['', '  ', '\n\u200b'])(
  'a reader cannot post a blank comment: %j [ART-08 ART-09]',
  async (blank) => {
    const { post } = await openArticle()
    const button = write(blank)
    expect(button.disabled).toBe(true)
    fireEvent.submit(button.form!)
    expect(addComment(post.id, blank, new Date())).toEqual([])
    expect(localStorage.getItem(key)).toBeNull()
  },
)

test.each(['{broken', '[]', '{"a":[{"id":1}]}', '"text"'])(
  'a reader of a post with damaged comments sees none, and they are moved to another key: %s [ART-10 S48]',
  async (damaged) => {
    localStorage.setItem(key, damaged)
    const { post } = await openArticle()
    expect(readComments(post.id)).toEqual([])
    expect(localStorage.getItem(`${key}-damaged`)).toBe(damaged)
  },
)

test('a post keeps its newest 200 comments [S48]', () => {
  for (let i = 0; i < 203; i++) addComment('p', `comment ${i}`, new Date())
  const kept = readComments('p')
  expect([kept.length, kept[0]?.content]).toEqual([200, 'comment 3'])
  expect(readComments('q')).toEqual([])
})

test.each(['The train\n\nIt left at ten.', 'A line\nand another'])(
  'the name of the author of an article leads to the page of the author, when there is one [PPL-03]: %j',
  async (content) => {
    await openArticle(content, { authorId: 'b3n0000000', authorHasPage: true })
    expect(screen.getByRole('link', { name: 'Ana Lima' }).getAttribute('href')).toBe('/people/b3n0000000')
    cleanup()
    await openArticle(content, { authorId: 'b3n0000000' })
    expect(screen.queryByRole('link', { name: 'Ana Lima' })).toBeNull()
  },
)

test('an article that leads to the page of its author says who the author is and what else the author wrote [LOOP-20]', async () => {
  await openArticle('A line', { authorId: ana.id, authorHasPage: true })
  expect(screen.getByRole('heading', { name: 'About Ana Lima' })).toBeTruthy()
  expect(screen.getByText('I write on ferries.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'The ship' }).getAttribute('href')).toBe(`/posts/${otherId}`)
  expect(screen.getByRole('link', { name: 'All posts by this author' }).getAttribute('href')).toBe(
    `/people/${ana.id}`,
  )
})

test('an article under a pen name asks for nothing about its author [LOOP-20]', async () => {
  await openArticle('A line', { authorId: ana.id })
  expect(screen.queryByRole('heading', { name: /^(About|More by)/ })).toBeNull()
  expect(server.requests.filter((request) => /people|more-by/.test(request))).toEqual([])
})

test('a reader on a slow network comments after a second, and the author who comes later moves nothing [LOOP-20]', async () => {
  const answer = Promise.withResolvers<typeof ana>()
  const post = aPost({ authorId: ana.id, authorHasPage: true })
  server.on(getPost, post)
  server.on(getPostNeighbours, { previous: null, next: null })
  server.on(listMoreByAuthor, [])
  server.on(getPerson, () => answer.promise)
  show(<ArticleDialog postId={post.id} />, { at: `/posts/${post.id}`, user: null })
  await screen.findByTestId('article-content')
  expect(screen.queryByLabelText('Your comment')).toBeNull()
  const field = await screen.findByLabelText('Your comment', {}, { timeout: 3000 })
  answer.resolve(ana)
  const about = await screen.findByRole('heading', { name: 'About Ana Lima' })
  expect(field.compareDocumentPosition(about)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

test('a reader chooses the size of the text, which this browser keeps, and the focus stays [LOOP-20]', async () => {
  await openArticle()
  const large = screen.getByRole('button', { name: 'Large text' })
  expect(screen.getByRole('button', { name: 'Medium text', pressed: true })).toBeTruthy()
  large.focus()
  fireEvent.click(large)
  await waitFor(() => expect(large.getAttribute('aria-pressed')).toBe('true'))
  expect(screen.getAllByRole('button', { name: / text$/, pressed: true })).toEqual([large])
  expect(localStorage.getItem('reading-size')).toBe('large')
  expect(document.activeElement).toBe(large)
  fireEvent.click(screen.getByRole('button', { name: 'Medium text' }))
})

test('a reader prints an article by its button [LOOP-20]', async () => {
  const print = vi.fn()
  vi.stubGlobal('print', print)
  await openArticle()
  fireEvent.click(screen.getByRole('button', { name: 'Print' }))
  expect(print).toHaveBeenCalledOnce()
})

test.each([{ user: undefined }, { user: null }])(
  'everybody who reads an article saves it as a file, and it is the article of the page: %j [OWN-08]',
  async ({ user }) => {
    const saved = watchSaving()
    const post = aPost({ content: 'The train\n\nIt left at ten.' })
    server.on(getPost, post)
    server.on(getPostNeighbours, { previous: null, next: null })
    server.on(listMoreByAuthor, [])
    show(<ArticleDialog postId={post.id} />, { at: `/posts/${post.id}`, ...(user === null && { user }) })
    await saveAs('Markdown')
    await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['The train.md']))
    expect(await saved[0]!.text()).toBe(
      '# The train\n\n*Ana Lima · June 10, 2025 at 11:00 AM*\n\n---\n\nIt left at ten.\n',
    )
  },
)

test.each([
  [299, null],
  [300, '2 minutes to read'],
])('an article of %i words says its reading time: %s [LOOP-20]', async (count, said) => {
  await openArticle('word '.repeat(count))
  expect(screen.getByRole('dialog').textContent.match(/\d+ minutes to read/)?.[0] ?? null).toBe(said)
})
