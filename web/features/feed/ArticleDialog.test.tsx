import 'fake-indexeddb/auto'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { getPost } from '#contract/feed/reading/endpoints.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ArticleDialog } from './ArticleDialog.tsx'
import { addComment, readComments } from './comments.ts'
import { aPost } from './testing.tsx'

const server = startTestPage()

const key = 'zimmer-comments'

async function openArticle(content = 'A line\nand another', more: Partial<PublicPost> = {}) {
  const post = aPost({ content, ...more })
  server.on(getPost, post)
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
