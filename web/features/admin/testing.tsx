import 'fake-indexeddb/auto'
import { fireEvent, screen } from '@testing-library/react'
import { beforeEach } from 'vitest'
import { getStats, type Stats } from '#contract/admin/endpoints.ts'
import { approvePost, approvePosts, listPendingPosts } from '#contract/feed/endpoints.ts'
import type { PendingPost } from '#contract/feed/post.ts'
import { type AdminPost, listTodaysPosts } from '#contract/feed/review/endpoints.ts'
import { aPost } from '#web/features/feed/testing.tsx'
import { show, startTestPage } from '#web/testing/page.tsx'
import { admin } from '#web/testing/people.ts'
import { AdminPage } from './AdminPage.tsx'

export const stats: Stats = {
  totalPosts: 12_345,
  totalLikes: 67,
  totalComments: 8,
  totalUsers: 910,
  newUsers: 11,
  pendingPosts: 2,
  perDay: Array.from({ length: 30 }, (_, i) => ({
    day: `2025-05-${String(i + 1).padStart(2, '0')}`,
    posts: i,
    users: 0,
  })),
}

/** The posts that wait in the queue of the server. */
export const queue: { posts: PendingPost[] } = { posts: [] }

/** A server with numbers, the queue and no posts of today. */
export function startAdminPage() {
  const server = startTestPage()
  beforeEach(() => {
    server.on(getStats, stats)
    server.on(listTodaysPosts, [])
    server.on(listPendingPosts, () => queue.posts)
    server.on(approvePost, ({ params }) => takeFromQueue([params.id])[0]!)
    server.on(approvePosts, ({ input }) => ({
      approved: takeFromQueue(input.postIds).map(({ id }) => id),
    }))
  })
  return server
}

export function fillQueue(count: number) {
  queue.posts = Array.from({ length: count }, (_, index) => ({
    ...aPost({ authorName: `Author ${index + 1}`, publishedAt: null }),
    status: 'pending',
    replacesId: null,
  }))
}

export function takeFromQueue(ids: string[]) {
  const taken = queue.posts.filter(({ id }) => ids.includes(id))
  queue.posts = queue.posts.filter((post) => !taken.includes(post))
  return taken
}

export const anAdminPost = (more: Partial<AdminPost> = {}): AdminPost => ({
  ...aPost(),
  status: 'published',
  replacesId: null,
  decidedAt: null,
  decidedBy: null,
  reason: null,
  ...more,
})

export const open = (part = '') =>
  show(<AdminPage />, { at: `/admin${part && `?part=${part}`}`, user: admin })
export const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name })

/** Sends the decisions that can be undone. */
export const leavePage = () => void fireEvent(window, new Event('pagehide'))
