/** What an API token may do, as people read it. A call without a scope takes no token (S61). */
export const tokenScopes = {
  'posts:read': 'Read the feed and your own posts',
  'posts:write': 'Write posts and drafts, and take posts back',
  diary: 'Read and write your diary and calendar',
  rooms: 'Read, join and write in Z!mmers',
  messages: 'Read and send messages to friends',
} as const
export type TokenScope = keyof typeof tokenScopes
