import type { PublicPost } from '#contract/feed/post.ts'

let count = 0

export const aPost = (more: Partial<PublicPost> = {}): PublicPost => ({
  id: `01900000-0000-7000-8000-${String(++count).padStart(12, '0')}`,
  content: `Post ${count}`,
  authorName: 'Ana Lima',
  authorId: null,
  postType: 'standard',
  isVisible: true,
  imageUrl: null,
  createdAt: '2025-06-10T08:00:00.000Z',
  publishedAt: '2025-06-10T09:00:00.000Z',
  editedAt: null,
  category: null,
  tags: [],
  form: null,
  likeCount: 0,
  shareCount: 0,
  commentCount: 0,
  sortOrder: 0,
  authorHasPage: false,
  ...more,
})
