import { useRef } from 'react'
import type { BlockedPerson } from '#contract/friends/endpoints.ts'
import { friendName } from '#contract/friends/friend.ts'
import { useBlockedPeople, useUnblockPerson } from '#web/features/friends/index.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { NotReady, Outdated } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useToast } from '#web/ui/toasts.tsx'

export function BlockedPeople() {
  const blocked = useBlockedPeople()
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Card as="section" aria-labelledby="blocked-people" className="flex flex-col gap-4 p-6">
      <div>
        <h2 ref={heading} tabIndex={-1} id="blocked-people" className="text-xl outline-none">
          Blocked people
        </h2>
        <p className="mt-2 text-sm text-ink-soft">
          You and a blocked person cannot find each other, write to each other or invite each other.
        </p>
      </div>
      <NotReady of={blocked} what="The blocked people" waiting={<Skeleton className="h-10 w-full" />} />
      <Outdated of={blocked} what="The blocked people" />
      {blocked.data?.length === 0 && <p className="text-sm">You have not blocked anybody.</p>}
      <ul className="flex flex-col divide-y divide-line empty:hidden">
        {blocked.data?.map((person) => (
          // The button that had the focus goes with its row.
          <BlockedRow key={person.id} person={person} onUnblocked={() => heading.current?.focus()} />
        ))}
      </ul>
    </Card>
  )
}

function BlockedRow({ person, onUnblocked }: { person: BlockedPerson; onUnblocked: () => void }) {
  const { attempt, status } = useUnblockPerson()
  const toast = useToast()
  const name = friendName({ ...person, email: null })

  const unblock = async () => {
    const unblocked = await attempt({ params: { userId: person.id } }, () =>
      toast({ title: `${name} could not be unblocked. Please try again.`, tone: 'destructive' }),
    )
    if (!unblocked) return
    toast({ title: `${name} is no longer blocked.` })
    onUnblocked()
  }
  return (
    <li className="flex items-center gap-3 py-2.5">
      <Avatar name={name} />
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 font-semibold wrap-anywhere">{name}</p>
        <p className="truncate text-sm text-ink-soft">{person.username}</p>
      </div>
      <Button variant="quiet" busy={status === 'running'} onClick={() => void unblock()}>
        Unblock
        <span className="sr-only">{name}</span>
      </Button>
    </li>
  )
}
