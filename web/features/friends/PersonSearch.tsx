import { Check, LoaderCircle, MessageCircle, UserPlus } from 'lucide-react'
import { useId, useState } from 'react'
import {
  type Friend,
  friendName,
  searchTextMaxLength,
  searchTextMinLength,
} from '#contract/friends/friend.ts'
import { sentenceOf } from '#web/lib/api.ts'
import { useSettled } from '#web/lib/use-settled.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { SearchInput } from '#web/ui/SearchInput.tsx'
import { useAddFriend, useFoundPeople, useFriends } from './api.ts'

interface PersonSearchProps {
  onAdded?: ((friend: Friend) => void) | undefined
  /** Opens the conversation with a friend who was found. Without it the search has no button for this. */
  onOpen?: ((friend: Friend) => void) | undefined
}

/** Finds people and adds them as friends. A search starts once the person stops typing. */
export function PersonSearch({ onAdded, onOpen }: PersonSearchProps) {
  const [typed, setTyped] = useState('')
  const id = useId()
  const text = typed.trim()
  const searched = useSettled(text)
  const isLongEnough = Array.from(searched).length >= searchTextMinLength
  const found = useFoundPeople(searched, isLongEnough)
  const friends = useFriends()
  const isSearching = text !== '' && (text !== searched || (isLongEnough && found.status === 'loading'))

  return (
    <search className="flex flex-col gap-3">
      <div className="flex flex-col gap-1.5">
        <label htmlFor={id} className="text-sm font-medium">
          Name, username or email address
        </label>
        <div className="relative">
          <SearchInput
            id={id}
            type="text"
            enterKeyHint="search"
            maxLength={searchTextMaxLength}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            className="pe-9"
          />
          {isSearching && (
            <LoaderCircle
              aria-hidden
              className="absolute inset-y-0 inset-e-3 my-auto size-4 animate-spin text-ink-soft"
            />
          )}
        </div>
      </div>
      {isSearching && <output className="sr-only">Searching</output>}
      {!isSearching && text !== '' && !isLongEnough && (
        <p className="text-sm text-ink-soft">Please type at least {searchTextMinLength} characters.</p>
      )}
      {!isSearching && isLongEnough && found.status === 'failed' && (
        <QuietLine
          text={sentenceOf(found.error, 'The search failed. Check the connection and try again.')}
          onTryAgain={found.refetch}
        />
      )}
      {!isSearching && isLongEnough && found.status === 'ready' && (
        <FoundPeople people={found.data} friends={friends.data ?? []} onAdded={onAdded} onOpen={onOpen} />
      )}
    </search>
  )
}

interface FoundPeopleProps extends PersonSearchProps {
  people: readonly Friend[]
  friends: readonly Friend[]
}

function FoundPeople({ people, friends, onAdded, onOpen }: FoundPeopleProps) {
  const friendIds = new Set(friends.map(({ id }) => id))
  return (
    <>
      <output className={people.length === 0 ? 'text-sm text-ink-soft' : 'sr-only'}>
        {people.length === 0
          ? 'Nobody was found. An email address has to be typed in full.'
          : people.length === 1
            ? '1 person found'
            : `${people.length} people found`}
      </output>
      <ul className="flex flex-col divide-y divide-line empty:hidden">
        {people.map((person) => (
          <FoundPerson
            key={person.id}
            person={person}
            isFriend={friendIds.has(person.id)}
            onAdded={onAdded}
            onOpen={onOpen}
          />
        ))}
      </ul>
    </>
  )
}

interface FoundPersonProps extends PersonSearchProps {
  person: Friend
  isFriend: boolean
}

function FoundPerson({ person, isFriend, onAdded, onOpen }: FoundPersonProps) {
  const adding = useAddFriend()
  const [isAdded, setIsAdded] = useState(false)
  const name = friendName(person)

  const add = async () => {
    const friend = await adding.attempt({ input: { friendUserId: person.id } })
    if (!friend) return
    setIsAdded(true)
    onAdded?.(friend)
  }
  return (
    <li className="py-2.5">
      <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2">
        <Avatar name={name} />
        <div className="min-w-36 flex-1">
          <p className="line-clamp-2 font-semibold wrap-anywhere">{name}</p>
          <p className="truncate text-sm text-ink-soft">{person.username}</p>
        </div>
        {isFriend || isAdded ? (
          // The button that had the focus is gone.
          <p
            ref={isAdded ? focus : undefined}
            tabIndex={-1}
            className="flex min-h-9 items-center gap-1.5 px-2 text-sm text-good"
          >
            <Check aria-hidden className="size-4" />
            Friend
            <span className="sr-only">: {name}</span>
          </p>
        ) : null}
        {isFriend || isAdded ? (
          onOpen && (
            <Button variant="quiet" onClick={() => onOpen(person)}>
              <MessageCircle aria-hidden className="size-4" />
              Message
              <span className="sr-only">{name}</span>
            </Button>
          )
        ) : (
          <Button variant="quiet" busy={adding.status === 'running'} onClick={() => void add()}>
            <UserPlus aria-hidden className="size-4" />
            Add Friend
            <span className="sr-only">{name}</span>
          </Button>
        )}
      </div>
      <p role="alert" className="mt-1 text-sm font-medium text-bad empty:hidden">
        {adding.error &&
          sentenceOf(adding.error, `${name} could not be added. Check the connection and try again.`)}
      </p>
    </li>
  )
}

const focus = (element: HTMLElement | null) => element?.focus()
