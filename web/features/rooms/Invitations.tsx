import { type KeyboardEvent, useId, useState } from 'react'
import { Link } from 'wouter'
import { friendName, type ListedFriend } from '#contract/friends/friend.ts'
import type { ReadState } from '#web/lib/api.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { TextField } from '#web/ui/TextField.tsx'

interface InvitationsProps {
  friends: ReadState<ListedFriend[]>
  invited: readonly string[]
  error: string | undefined
  onChange: (invited: string[]) => void
}

/** A longer list has a search. */
const shortListMax = 8
/** A thousand rows would be drawn again with each letter that is typed in the form. */
const shownMax = 100

/** The friends to choose from for a private room. */
export function Invitations({ friends, invited, error, onChange }: InvitationsProps) {
  const [sought, setSought] = useState('')
  const errorId = useId()
  const all = friends.data ?? []
  const matching = all.filter((friend) => folded(friendName(friend)).includes(folded(sought.trim())))
  const shown = matching.slice(0, shownMax)
  return (
    <fieldset
      name="invitedFriends"
      tabIndex={-1}
      aria-describedby={error && errorId}
      className="flex flex-col gap-2 outline-none"
    >
      <legend className="text-sm font-medium">Invite friends</legend>
      {friends.status === 'loading' && <Skeleton className="h-16 w-full" />}
      {friends.status === 'failed' && (
        <QuietLine text="Your friends could not be loaded." onTryAgain={friends.refetch} />
      )}
      {friends.status === 'ready' && all.length === 0 && (
        <p className="text-sm text-ink-soft">
          Add friends in the{' '}
          <Link href="/messages" className="text-lamp underline underline-offset-4">
            Messages
          </Link>{' '}
          section to invite them to private Z!mmers
        </p>
      )}
      {all.length > shortListMax && (
        <TextField
          label="Search your friends"
          labelHidden
          type="search"
          placeholder="Search your friends"
          autoComplete="off"
          value={sought}
          onChange={(event) => setSought(event.target.value)}
          onKeyDown={keepOpen}
        />
      )}
      <ul className="flex max-h-52 flex-col gap-1.5 overflow-y-auto py-0.5 pointer-coarse:gap-0 empty:hidden">
        {shown.map((friend) => (
          <li key={friend.id}>
            <Checkbox
              label={friendName(friend)}
              checked={invited.includes(friend.id)}
              onChange={(event) =>
                onChange(
                  event.target.checked
                    ? [...invited, friend.id]
                    : invited.filter((friendId) => friendId !== friend.id),
                )
              }
            />
          </li>
        ))}
      </ul>
      {all.length > 0 && (
        <output className="text-xs text-ink-soft">
          {shown.length === 0 && 'No friend has this name. '}
          {shown.length < matching.length && `The first ${shownMax} are shown. Search for the others. `}
          {invited.length === 0 ? 'Nobody is invited yet.' : `${invited.length} invited.`}
        </output>
      )}
      <p id={errorId} role="alert" className="text-xs font-medium text-bad empty:hidden">
        {error}
      </p>
    </fieldset>
  )
}

/** Without the marks of letters and in small letters, so that 'jose' finds 'José'. */
const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Enter in the search must not create the room. */
function keepOpen(event: KeyboardEvent) {
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault()
}
