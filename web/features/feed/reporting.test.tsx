import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { erasePost } from '#contract/erasing/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { getPostNeighbours } from '#contract/feed/links/endpoints.ts'
import { getPost } from '#contract/feed/reading/endpoints.ts'
import { listOwnPostIds } from '#contract/feed/own/endpoints.ts'
import { reportButtons, sendReport } from '#web/features/abuse-reports/testing.tsx'
import { done } from '#contract/schemas.ts'
import { confirmErasure } from '#web/features/erasing/testing.tsx'
import { show, startTestPage } from '#web/testing/page.tsx'
import { admin, ana, guest } from '#web/testing/people.ts'
import { ArticleDialog } from './ArticleDialog.tsx'
import { aPost } from './testing.tsx'

const server = startTestPage()
const otherId = 'h3m9w5zt8v'

async function open(authorId: string | null, user: User | null) {
  const post = aPost({ authorId })
  server.on(getPost, post)
  server.on(listOwnPostIds, [])
  server.on(getPostNeighbours, { previous: null, next: null })
  show(<ArticleDialog postId={post.id} />, { at: `/posts/${post.id}`, user })
  await screen.findByTestId('article-content')
  return post
}

test.each([
  ['of a person', otherId],
  ['of a visitor', null],
])('a reader with an account reports a post %s [PPL-06]', async (_whose, authorId) => {
  const post = await open(authorId, ana)
  fireEvent.click(await screen.findByRole('button', { name: 'Report this post' }))
  expect(await sendReport(server)).toEqual({ kind: 'post', targetId: post.id })
})

test.each<[string, string, User | null]>([
  ['a visitor', otherId, null],
  ['a guest', otherId, guest],
  ['the author', ana.id, ana],
])('%s has no button to report a post [PPL-06]', async (_who, authorId, user) => {
  await open(authorId, user)
  expect(reportButtons()).toEqual([])
})

test('an admin erases a post of somebody else, and is led away from its address [INST-13]', async () => {
  const post = await open(otherId, admin)
  server.on(erasePost, done)
  fireEvent.click(await screen.findByRole('button', { name: 'Erase this post' }))
  await confirmErasure('post', 'It names a neighbour.')
  await waitFor(() => expect(location.pathname).toBe('/dashboard'))
  expect(server.calls(erasePost)).toMatchObject([
    { params: { id: post.id }, input: { reason: 'It names a neighbour.' } },
  ])
})

test('a reader who is no admin has no button to erase a post [INST-13]', async () => {
  await open(otherId, ana)
  await screen.findByRole('button', { name: 'Report this post' })
  expect(screen.queryByRole('button', { name: 'Erase this post' })).toBeNull()
})
