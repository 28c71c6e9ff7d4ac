import { useRef } from 'react'
import { Link } from 'wouter'
import type { FollowedPerson } from '#contract/follows/follow.ts'
import { personPath } from '#contract/people/paths.ts'
import type { Pages } from '#web/lib/pages.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'
import { FollowButton } from './FollowButton.tsx'

/** The people whom the reader follows. Somebody who is unfollowed here can be followed again until the page is left. */
export function FollowedPeople({ people }: { people: Pages<FollowedPerson> }) {
  const list = useRef<HTMLUListElement>(null)
  return (
    <div className="flex flex-col gap-3">
      <ul ref={list} className="flex flex-col divide-y divide-line">
        {people.items.map(({ id, name, introduction }) => (
          <li key={id} className="flex items-center gap-3 py-3">
            <Avatar name={name} />
            <div className="min-w-0 flex-1">
              <Link
                href={personPath(id)}
                className="touch flex items-center font-serif font-semibold hover:text-lamp"
              >
                <bdi className="truncate">{name}</bdi>
              </Link>
              <p dir="auto" className="truncate text-sm text-ink-soft empty:hidden">
                {introduction}
              </p>
            </div>
            <FollowButton id={id} name={name} whileFollowed="Unfollow" />
          </li>
        ))}
      </ul>
      <ShowMore of={people} list={list} />
    </div>
  )
}
