import { Link } from 'wouter'
import { personPath } from '#contract/people/paths.ts'
import { shortCount } from '../counts.ts'
import { AuthorCover, CreatorCover } from '#web/features/creators/index.ts'
import { useDetails } from '#web/features/details/index.ts'
import { FollowButton } from '#web/features/follows/index.ts'
import { cx } from '#web/ui/cx.ts'
import type { FeedPerson } from './feed-people.ts'

export function PersonCard({ person, className }: { person: FeedPerson; className: string }) {
  return (
    <div className={className}>
      <Cover person={person} />
      <div className="flex min-h-0 flex-1 flex-col px-4 pt-2 pb-3">
        <Name person={person} />
        <p className="truncate text-sm text-ink-soft">{person.genre}</p>
        <div className="mt-auto flex items-center justify-between gap-2">
          <span className="text-xs text-ink-soft">
            {person.followerCount === 1 ? '1 follower' : `${shortCount(person.followerCount)} followers`}
          </span>
          <FollowButton id={person.id} name={person.name} />
        </div>
      </div>
    </div>
  )
}

/** Opens the details of a person, or the page of one of whom no post is loaded. */
function Name({ person }: { person: FeedPerson }) {
  const details = useDetails()
  if (person.kind === 'followed')
    return (
      <Link href={personPath(person.id)} className={nameClass}>
        {person.name}
      </Link>
    )
  const open = () =>
    person.kind === 'author' ? details.showAuthor(person.author) : details.showCreator(person.creator)
  return (
    <button type="button" onClick={open} className={nameClass}>
      {person.name}
    </button>
  )
}

const nameClass = 'touch truncate text-start font-serif font-semibold hover:text-lamp'

function Cover({ person }: { person: FeedPerson }) {
  const place = 'h-14 w-full shrink-0'
  if (person.kind === 'creator') return <CreatorCover creator={person.creator} className={place} />
  if (person.coverImage) {
    return <img src={person.coverImage} alt="" loading="lazy" className={cx(place, 'object-cover')} />
  }
  return <AuthorCover id={person.id} className={place} />
}
