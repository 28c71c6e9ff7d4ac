import { type RefObject, useRef } from 'react'
import { type Friend, friendName, type ListedFriend } from '#contract/friends/friend.ts'
import type { LastMessage } from '#contract/messages/message.ts'
import { useSession } from '#web/features/account/index.ts'
import { InvitationLinks } from '#web/features/invitations/index.ts'
import { useDrawnHeight } from '#web/lib/drawn-height.ts'
import { useClock } from '#web/lib/interval.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { shortTime } from '#web/lib/short-time.ts'
import { cx } from '#web/ui/cx.ts'
import { Drawing } from '#web/ui/Drawing.tsx'
import { ListNotReady } from '#web/ui/ListNotReady.tsx'
import { Outdated } from '#web/ui/NotReady.tsx'
import { useFriends } from './api.ts'
import { unwritten } from './cache.ts'
import { PersonSearch } from './PersonSearch.tsx'

interface FriendListProps {
  selectedId: string | null
  onSelect: (friend: ListedFriend) => void
}

/** The friends of the reader. Visitors and guests have none, and nothing is loaded for them. */
export function FriendList({ selectedId, onSelect }: FriendListProps) {
  const { state } = useSession()
  const friends = useFriends()
  if (state === 'none' || state === 'guest') return <NoFriends />
  if (friends.status !== 'ready')
    return (
      <ListNotReady of={friends} what="Your friends" count={5} each="h-14" className="flex flex-col gap-1" />
    )
  return (
    <>
      <Outdated of={friends} what="Your friends" />
      {friends.data.length === 0 && (
        <NoFriends
          // Adding the first friend removes the search, so open the conversation.
          onAdded={(friend) => onSelect({ ...friend, ...unwritten })}
        />
      )}
      <Rows friends={friends.data} selectedId={selectedId} onSelect={onSelect} />
    </>
  )
}

function Rows({ friends, selectedId, onSelect }: FriendListProps & { friends: readonly ListedFriend[] }) {
  const focusedId = useRef<string | null>(null)
  const today = useClock((now) => now.toDateString())
  const drawnHeight = useDrawnHeight()
  return (
    <ul
      aria-label="Friends"
      className="flex flex-col gap-1 empty:hidden"
      onFocus={({ target }) => void (focusedId.current = target.closest('li')!.dataset['friend']!)}
      onBlur={() => void (focusedId.current = null)}
    >
      {friends.slice(0, Math.ceil(drawnHeight / rowPx)).map((friend) => (
        <FriendRow
          // A row that moves to the top is made anew. With its old key React would move all rows that were above it.
          key={`${friend.id} ${friend.lastMessageAt}`}
          focusedId={focusedId}
          friend={friend}
          today={today}
          isSelected={friend.id === selectedId}
          onSelect={onSelect}
        />
      ))}
    </ul>
  )
}

const rowPx = 56

interface FriendRowProps {
  friend: ListedFriend
  /** The friend whose row has the focus, which the row gets back when it is made anew. */
  focusedId: RefObject<string | null>
  today: string
  isSelected: boolean
  onSelect: (friend: ListedFriend) => void
}

function FriendRow({ friend, focusedId, today, isSelected, onSelect }: FriendRowProps) {
  const { lastMessageAt, lastMessage, unreadCount } = friend
  const name = friendName(friend)
  return (
    // A long list draws only the rows that are in sight.
    <li data-friend={friend.id} className="[contain-intrinsic-size:auto_3.75rem] [content-visibility:auto]">
      <button
        ref={(row) => {
          if (focusedId.current === friend.id && document.activeElement === document.body)
            row?.focus({ preventScroll: true })
        }}
        type="button"
        aria-current={isSelected || undefined}
        onClick={() => onSelect(friend)}
        className={cx(
          'flex min-h-14 w-full items-center gap-3 rounded-lg px-3 py-2 text-start transition-colors duration-150 ease-out hover:bg-sunk',
          isSelected && 'bg-sunk',
        )}
      >
        <Avatar name={name} />
        <span className="flex min-w-0 flex-1 flex-col">
          <span
            className={cx(
              'truncate huge:whitespace-normal',
              (unreadCount > 0 || isSelected) && 'font-semibold',
            )}
          >
            {name}
          </span>
          {lastMessage !== null && <FirstWords of={lastMessage} />}
        </span>
        <span className="flex shrink-0 flex-col items-end gap-0.5">
          {lastMessageAt !== null && (
            <time dateTime={lastMessageAt} className="text-xs text-ink-soft">
              {shortTime(lastMessageAt, new Date(today))}
            </time>
          )}
          {unreadCount > 0 && (
            <Badge tone="lamp">
              <span aria-hidden>{unreadCount > shownUnreadMax ? `${shownUnreadMax}+` : unreadCount}</span>
              <span className="sr-only">
                {unreadCount === 1 ? '1 unread message' : `${unreadCount} unread messages`}
              </span>
            </Badge>
          )}
        </span>
      </button>
    </li>
  )
}

const FirstWords = ({ of: { beginning, isOwn, messageType } }: { of: LastMessage }) => (
  <span className="truncate text-sm text-ink-soft">
    {isOwn && 'You: '}
    {messageType === 'diary' ? 'Shared a diary entry' : <bdi>{beginning}</bdi>}
  </span>
)

const shownUnreadMax = 99

/** With `onAdded` it has a search. */
function NoFriends({ onAdded }: { onAdded?: (friend: Friend) => void }) {
  return (
    <div className="flex flex-col items-center gap-4 px-3 py-8 text-center">
      <Drawing of="letter" />
      <p className="font-serif text-lg">No friends yet</p>
      {onAdded && (
        <>
          <p className="max-w-prose text-sm text-ink-soft">
            Search for the name or username of someone who writes here, or type a whole email address. Press
            ‘Add Friend’, and you can write to each other at once. Someone who does not write here yet can
            follow an invitation link of yours.
          </p>
          <div className="flex w-full max-w-md flex-col gap-6 text-start">
            <PersonSearch onAdded={onAdded} />
            <div className="border-t border-line pt-5">
              <InvitationLinks />
            </div>
          </div>
        </>
      )}
    </div>
  )
}
