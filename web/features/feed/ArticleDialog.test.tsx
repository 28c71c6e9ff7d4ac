import 'fake-indexeddb/auto'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ArticleDialog } from './ArticleDialog.tsx'
import { addComment, readComments } from './comments.ts'
import { aPost, serve, show } from './testing.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)

const key = 'zimmer-comments'

async function openArticle(content = 'A line\nand another') {
  const post = aPost({ content })
  const sent = serve({ [`GET /api/posts/${post.id}`]: () => ({ body: post }) })
  show(<ArticleDialog postId={post.id} />, `/posts/${post.id}`)
  await screen.findByTestId('article-content')
  await waitFor(() => expect(comment().readOnly).toBe(false))
  return { post, sent }
}

const comment = () => screen.getByLabelText<HTMLTextAreaElement>('Your comment')
const write = (text: string) => {
  fireEvent.change(comment(), { target: { value: text } })
  return screen.getByRole<HTMLButtonElement>('button', { name: 'Post Comment' })
}

test('a post opens as a whole article with its comments [ART-01 SHELL-94]', async () => {
  const { post } = await openArticle()
  const dialog = screen.getByRole('dialog', { name: 'Ana Lima' })
  expect(within(dialog).getByTestId('article-content').textContent).toBe(post.content)
  expect(within(dialog).getByRole('heading', { name: 'Comments' })).toBeTruthy()
})

test('a comment stays in this browser, by post, as plain text of the guest user [ART-03 ART-04 ART-05 ART-06 ART-07]', async () => {
  const { post, sent } = await openArticle()
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
  expect(sent.filter(({ method }) => method !== 'GET')).toEqual([])
  await waitFor(() => expect(comment().value).toBe(''))
})

test.each(['', '  ', '\n\u200b'])('a blank comment cannot be posted: %j [ART-08 ART-09]', async (blank) => {
  const { post } = await openArticle()
  const button = write(blank)
  expect(button.disabled).toBe(true)
  fireEvent.submit(button.form!)
  expect(addComment(post.id, blank, new Date())).toEqual([])
  expect(localStorage.getItem(key)).toBeNull()
})

test.each(['{broken', '[]', '{"a":[{"id":1}]}', '"text"'])(
  'comments that cannot be read are ignored and set aside: %s [ART-10 S48]',
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
