import type { OwnPost } from '#contract/feed/review/endpoints.ts'

/** The fields of a post of Ana that waits for review. */
export const ofWaitingPost = {
  authorName: 'Ana Lima',
  postType: 'standard',
  createdAt: '2025-06-09T10:00:00.000Z',
  publishedAt: null,
  editedAt: null,
  waitingVersion: null,
  isVisible: true,
  status: 'pending',
  decidedAt: null,
  reason: null,
} satisfies Partial<OwnPost>
