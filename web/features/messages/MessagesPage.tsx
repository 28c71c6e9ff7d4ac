import { UserPlus } from 'lucide-react'
import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { conversationPath } from '#contract/messages/paths.ts'
import { SignInNotice, useSession } from '#web/features/account/index.ts'
import { AddFriendDialog, FriendList, useFriends } from '#web/features/friends/index.ts'
import { WaitingPeople } from '#web/features/invitations/index.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { failedLine, part } from '#web/ui/part.tsx'
import { usePreloadMessages } from './api.ts'
import { focusWhenLost } from './focus.ts'
import { WaitingMessages } from './WaitingMessages.tsx'

/** The friends and the conversation with one of them: side by side, on a phone one at a time. */
export function MessagesPage() {
  usePageTitle('Messages')
  const { state, user } = useSession()
  const [, navigate] = useLocation()
  const friendId = new URLSearchParams(useSearch()).get('friend')
  const [isAdding, setIsAdding] = useState(false)
  const friends = useFriends()
  const title = useRef<HTMLHeadingElement>(null)
  const preload = usePreload()
  const hasMoved = useHasChanged(friendId)
  useEffect(() => {
    if (hasMoved && friendId === null && title.current) focusWhenLost(title.current)
  }, [hasMoved, friendId])
  if (state === 'unknown') return null
  const isOpen = state === 'registered' && friendId !== null
  // Without a friend there is no conversation beside the list.
  const isEmpty = friends.data?.length === 0 && !isOpen
  return (
    <div
      className={cx(
        'grid grid-cols-[minmax(0,1fr)] gap-x-8',
        !isOpen && 'gap-y-4',
        isEmpty ? 'w-full max-w-2xl' : 'md:grid-cols-[17rem_minmax(0,1fr)]',
      )}
    >
      <div
        className={cx(
          'flex flex-col gap-4',
          !isEmpty && 'md:sticky md:top-4 md:max-h-[calc(100dvh-var(--bottom-bar,3rem)-2rem)] md:self-start',
        )}
      >
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h1 ref={title} tabIndex={-1} className={cx('text-2xl', isOpen && 'max-md:sr-only')}>
            Messages
          </h1>
          {state === 'registered' && (
            <Button
              variant="quiet"
              className={cx(isOpen && 'max-md:hidden')}
              onClick={() => setIsAdding(true)}
            >
              <UserPlus aria-hidden className="size-4" />
              Add Friend
            </Button>
          )}
        </div>
        <div
          onPointerOver={preload}
          onFocus={preload}
          className={cx(
            'flex min-h-0 flex-col gap-3 overflow-y-auto overscroll-contain md:-mx-1 md:px-1 md:pb-2',
            isOpen && 'max-md:hidden',
          )}
        >
          {state === 'registered' && <WaitingPeople />}
          <FriendList selectedId={friendId} onSelect={({ id }) => navigate(conversationPath(id))} />
        </div>
      </div>
      {state !== 'registered' && <SignInNotice text="Sign in to write to your friends." />}
      {state === 'registered' && friendId === null && !isEmpty && (
        <div className="max-md:hidden">
          <EmptyState text="Select a friend to start messaging" drawing="letter" />
        </div>
      )}
      {isOpen && (
        <ConversationPane key={friendId} friendId={friendId} user={user} takesLostFocus={hasMoved} />
      )}
      {isAdding && (
        <AddFriendDialog
          onClose={() => setIsAdding(false)}
          onOpen={({ id }) => {
            setIsAdding(false)
            navigate(conversationPath(id))
          }}
        />
      )}
    </div>
  )
}

/** Fetched when a person points at their friends. */
const ConversationPane = part(
  async () => (await import('./ConversationPane.tsx')).ConversationPane,
  failedLine,
  () => <WaitingMessages />,
)

/** A pointer that only crosses a row is gone before. */
const preloadAfterMs = 80

/** Fetches the conversation of the row that the pointer or the focus rests on. A failure shows when it is opened. */
function usePreload() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const preloadMessages = usePreloadMessages()
  useEffect(() => () => clearTimeout(timer.current), [])
  return ({ target }: SyntheticEvent) => {
    ConversationPane.preload().catch(() => {})
    const { friend } = (target as Element).closest<HTMLElement>('[data-friend]')?.dataset ?? {}
    clearTimeout(timer.current)
    if (friend !== undefined) timer.current = setTimeout(() => preloadMessages(friend), preloadAfterMs)
  }
}

/** Whether a value has ever changed since the component was shown first. */
function useHasChanged(value: string | null): boolean {
  const [first] = useState(value)
  const [hasChanged, setHasChanged] = useState(false)
  if (!hasChanged && value !== first) setHasChanged(true)
  return hasChanged
}
