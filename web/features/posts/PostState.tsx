import type { OwnPost } from '#contract/feed/review/endpoints.ts'
import { Badge } from '#web/ui/Badge.tsx'

/** The state of a post, in the same words for authors and admins. */
export function PostState({ post }: { post: Pick<OwnPost, 'status' | 'isVisible'> }) {
  const { tone, name } = states[post.status][post.isVisible ? 'visible' : 'hidden']
  return <Badge tone={tone}>{name}</Badge>
}

const states = {
  pending: {
    visible: { name: 'Waits for review', tone: 'outline' },
    hidden: { name: 'Set aside', tone: 'warn' },
  },
  published: {
    visible: { name: 'Published', tone: 'good' },
    hidden: { name: 'Hidden', tone: 'warn' },
  },
} as const
