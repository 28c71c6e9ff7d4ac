import { Heart, Users } from 'lucide-react'
import type { Creator } from '#contract/creators/creator.ts'
import { FollowButton, useMarks } from '#web/features/follows/index.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { cx } from '#web/ui/cx.ts'
import { ContentTypes } from './ContentTypes.tsx'
import { CreatorAvatar } from './CreatorAvatar.tsx'
import { CreatorCover } from './CreatorCover.tsx'
import { VerifiedBadge } from './VerifiedBadge.tsx'

const tagsMax = 3
const keywordsMax = 3

interface CreatorCardProps {
  creator: Creator
  className: string
  onOpen: (creator: Creator) => void
}

/** All cards have one height, so that the rows have their size before they are drawn. */
export function CreatorCard({ creator, className, onOpen }: CreatorCardProps) {
  return (
    <article
      className={cx(
        'relative flex h-[26rem] flex-col overflow-hidden rounded-lg border border-line bg-surface hover:border-edge',
        className,
      )}
    >
      <CreatorCover creator={creator} className="h-20 w-full shrink-0" />
      <div className="-mt-7 flex min-h-0 flex-1 flex-col px-4 pb-3">
        <div className="flex shrink-0 items-end justify-between">
          <CreatorAvatar creator={creator} className="size-14" />
          {creator.isVerified && <VerifiedBadge />}
        </div>
        <h3 className="mt-1.5 truncate text-lg font-semibold">
          <OpenButton creator={creator} onOpen={onOpen} />
        </h3>
        <p className="shrink-0 truncate text-sm text-ink-soft">{creator.artistName}</p>
        <p className="mt-2 line-clamp-4 font-serif text-sm">{creator.description}</p>
        <ul
          aria-label="Tags"
          className="mt-auto flex max-h-[2.875rem] shrink-0 flex-wrap gap-1.5 overflow-hidden"
        >
          {creator.tags.slice(0, tagsMax).map((tag) => (
            <li key={tag} className="flex">
              <Badge>{tag}</Badge>
            </li>
          ))}
        </ul>
        <p className="mt-2 shrink-0 truncate text-xs text-ink-soft">
          <span className="sr-only">Keywords: </span>
          {creator.keywords.slice(0, keywordsMax).join(' · ')}
        </p>
        <div className="mt-2 shrink-0">
          <ContentTypes types={creator.contentTypes} />
        </div>
        <div className="mt-2 flex shrink-0 items-center justify-between gap-2">
          <Counts creator={creator} />
          <div className="relative">
            <FollowButton id={creator.id} name={creator.name} />
          </div>
        </div>
      </div>
    </article>
  )
}

/** The name of a creator as a button that covers the whole card or row. */
export const OpenButton = ({ creator, onOpen }: Pick<CreatorCardProps, 'creator' | 'onOpen'>) => (
  <button
    type="button"
    onClick={() => onOpen(creator)}
    className="-outline-offset-2 after:absolute after:inset-0 after:rounded-lg hover:text-lamp focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-lamp"
  >
    {creator.name}
  </button>
)

export function Counts({ creator }: { creator: Creator }) {
  const followers = useFollowers(creator)
  return (
    <p className="flex gap-3 text-xs text-ink-soft">
      <span className="flex items-center gap-1">
        <Heart aria-hidden className="size-3.5" />
        {short.format(creator.likes)}
        <span className="sr-only"> likes</span>
      </span>
      <span className="flex items-center gap-1">
        <Users aria-hidden className="size-3.5" />
        {short.format(followers)}
        <span className="sr-only"> followers</span>
      </span>
    </p>
  )
}

/** The followers, with the reader among them when the page marks the creator as followed. */
export const useFollowers = ({ id, followers }: Creator): number =>
  followers + (useMarks().followed.has(id) ? 1 : 0)

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
