import { Ban } from 'lucide-react'
import { useRef, useState } from 'react'
import {
  listModeratedPeople,
  type ModeratedPerson,
  searchedNameMaxLength,
} from '#contract/account/moderators/endpoints.ts'
import { SuspendedUntil, useSuspend } from '#web/features/suspensions/index.ts'
import { usePages } from '#web/lib/pages.ts'
import { useSettled } from '#web/lib/use-settled.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ListNotReady } from '#web/ui/ListNotReady.tsx'
import { Outdated } from '#web/ui/NotReady.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'
import { PeopleSearch } from './PeopleSearch.tsx'

/** All registered people for moderators, without their addresses: search and suspend. */
export function ModeratedPeople() {
  const [typed, setTyped] = useState('')
  const [isSuspended, setIsSuspended] = useState(true)
  const q = useSettled(typed.trim())
  return (
    <section aria-label="People" className="flex flex-col gap-4">
      <PeopleSearch
        aria-label="Search people"
        placeholder="Name or username"
        maxLength={searchedNameMaxLength}
        typed={typed}
        onType={(text) => {
          setTyped(text)
          setIsSuspended(false)
        }}
        isSuspended={isSuspended}
        onSuspended={setIsSuspended}
      />
      <People q={q} isSuspended={isSuspended} />
    </section>
  )
}

function People({ q, isSuspended }: { q: string; isSuspended: boolean }) {
  const list = useRef<HTMLUListElement>(null)
  const people = usePages(listModeratedPeople, {
    limit: '60',
    ...(q !== '' && { q }),
    ...(isSuspended && { isSuspended: 'true' as const }),
  })
  if (people.status !== 'ready')
    return <ListNotReady of={people} what="The people" count={6} each="h-24" className={gridClass} />
  const { items } = people.data
  return (
    <>
      <Outdated of={people} what="The list" />
      {items.length === 0 && (
        <EmptyState drawing="lamp" text={q === '' ? 'Nobody is suspended' : `Nobody was found for “${q}”`} />
      )}
      <ul ref={list} aria-label="People" className={gridClass}>
        {items.map((person) => (
          <PersonCard key={person.id} person={person} />
        ))}
      </ul>
      <ShowMore of={people.data} list={list} />
    </>
  )
}

const gridClass = 'grid grid-cols-1 gap-3 empty:hidden sm:grid-cols-2 2xl:grid-cols-3'

function PersonCard({ person }: { person: ModeratedPerson }) {
  const { id, name, username, isAdmin, isModerator, suspension } = person
  const { suspend, dialog } = useSuspend()
  return (
    <Card as="li" className="[contain-intrinsic-size:auto_6rem] [content-visibility:auto]">
      <div className="flex items-start gap-3">
        <Avatar name={name} />
        <div className="min-w-0 flex-1">
          <h2 className="flex flex-wrap items-center gap-x-2 font-sans text-base">
            <span dir="auto" className="min-w-0 font-semibold wrap-anywhere">
              {name}
            </span>
            {isAdmin && <Badge tone="lamp">Admin</Badge>}
            {isModerator && <Badge tone="lamp">Moderator</Badge>}
          </h2>
          <p className="truncate text-sm text-ink-soft">{username}</p>
        </div>
        {!isAdmin && !isModerator && (
          <Button variant="quiet" className="shrink-0" onClick={() => suspend({ id, name })}>
            <Ban aria-hidden className="size-4" />
            {suspension ? 'Suspension' : 'Suspend'}
            <span className="sr-only">
              {suspension && ' of'} {name}
            </span>
          </Button>
        )}
      </div>
      {suspension && (
        <p className="mt-2 text-sm text-bad">
          Suspended <SuspendedUntil until={suspension.until} />
          {suspension.hidesTexts && ' · Texts are hidden'}
        </p>
      )}
      {dialog}
    </Card>
  )
}
