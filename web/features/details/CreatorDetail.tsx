import { Link } from 'wouter'
import type { Creator } from '#contract/creators/creator.ts'
import { cut } from '#contract/text.ts'
import {
  CreatorAvatar,
  CreatorCover,
  SampleBadge,
  VerifiedBadge,
  withPortfolio,
} from '#web/features/creators/index.ts'
import { FollowButton } from '#web/features/follows/index.ts'
import { SupportButton } from '#web/features/tips/index.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { buttonClass } from '#web/ui/Button.tsx'

const recentPostsMax = 3
const previewLength = 60

export function CreatorDetail({ creator, onClose }: { creator: Creator; onClose: () => void }) {
  const recentPosts = withPortfolio(creator).portfolio?.samples.slice(0, recentPostsMax) ?? []
  return (
    <>
      <CreatorCover creator={creator} className="h-32 w-full rounded-lg" />
      <div className="mt-4 flex items-center gap-4">
        <CreatorAvatar creator={creator} className="size-16" />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2 font-serif text-lg font-semibold">
            {creator.name}
            {creator.isVerified && <VerifiedBadge />}
            <SampleBadge />
          </p>
          <p className="text-sm text-ink-soft">{creator.artistName}</p>
        </div>
      </div>
      <p className="mt-4 font-serif">{creator.description}</p>
      <Words label="Tags" words={creator.tags} />
      <Words label="Content types" words={creator.contentTypes} />
      <h3 className="mt-6 mb-2 text-lg font-semibold">Recent posts</h3>
      {recentPosts.length === 0 ? (
        <p className="text-sm text-ink-soft">No posts yet</p>
      ) : (
        <ul className="flex flex-col gap-3">
          {recentPosts.map((post) => (
            <li key={post.title} className="border-s-2 border-line ps-4">
              <p className="text-sm font-medium">{post.title}</p>
              <p className="font-serif whitespace-pre-wrap">{cut(post.content, previewLength)}</p>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        <FollowButton id={creator.id} name={creator.name} />
        <SupportButton creator={{ id: creator.id, name: creator.name, category: creator.genre }} />
        <Link href="/zimmers" onClick={onClose} className={buttonClass('quiet')}>
          All creators
        </Link>
      </div>
    </>
  )
}

function Words({ label, words }: { label: string; words: readonly string[] }) {
  return (
    <ul aria-label={label} className="mt-3 flex flex-wrap gap-1.5">
      {words.map((word) => (
        <li key={word}>
          <Badge>{word}</Badge>
        </li>
      ))}
    </ul>
  )
}
