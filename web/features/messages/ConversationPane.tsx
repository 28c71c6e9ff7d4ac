import { ArrowLeft, Ban, BookOpen, Ellipsis, Flag, UserMinus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { User } from '#contract/account/user.ts'
import { friendName, type ListedFriend } from '#contract/friends/friend.ts'
import { messagesPath } from '#contract/messages/paths.ts'
import { useReport } from '#web/features/abuse-reports/index.ts'
import { useBlock, useFriends, useRemoval } from '#web/features/friends/index.ts'
import { SaveAs } from '#web/features/saving/index.ts'
import { useDrawnHeight } from '#web/lib/drawn-height.ts'
import { RequestError } from '#web/lib/request.ts'
import { useEarlierItems } from '#web/lib/use-earlier.ts'
import { useSending } from '#web/lib/use-outbox.ts'
import { useStickToEnd } from '#web/lib/use-stick-to-end.ts'
import { useConfirm } from '#web/ui/alerts.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { ComposeBar } from '#web/ui/ComposeBar.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'
import { Outdated } from '#web/ui/NotReady.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { readWholeConversation, useConversation, useDeleteMessage } from './api.ts'
import { useMessagesCache } from './cache.ts'
import { type Conversation, newestOf, startOfWindow } from './conversation.ts'
import { EarlierMessages } from './EarlierMessages.tsx'
import { focusWhenLost } from './focus.ts'
import { MessageField } from './MessageField.tsx'
import { MessageList } from './MessageList.tsx'
import { savedConversation } from './saved-conversation.ts'
import { useMarkReadWhenSeen } from './use-mark-read-when-seen.ts'
import { WaitingMessages } from './WaitingMessages.tsx'

interface ConversationPaneProps {
  friendId: string
  user: User
  /** The heading gets the focus when the element that had it was removed or hidden. */
  takesLostFocus: boolean
}

/** The messages with one friend. */
export function ConversationPane({ friendId, user, takesLostFocus }: ConversationPaneProps) {
  const friends = useFriends()
  const conversation = useConversation(friendId)
  const friend = friends.data?.find(({ id }) => id === friendId)

  if (friends.status === 'failed')
    return <FailedState text="Your friends could not be loaded." onTryAgain={friends.refetch} />
  if (friends.status === 'ready' && friend === undefined) return <NoFriend />
  if (conversation.status === 'failed') {
    const { error, refetch } = conversation
    if (error instanceof RequestError && error.status === 404) return <NoFriend />
    return <FailedState text="The messages could not be loaded." onTryAgain={refetch} />
  }
  if (friend === undefined || conversation.status === 'loading') return <WaitingMessages />
  return (
    <OpenConversation
      friend={friend}
      user={user}
      conversation={conversation}
      takesLostFocus={takesLostFocus}
    />
  )
}

interface OpenConversationProps extends Omit<ConversationPaneProps, 'friendId'> {
  friend: ListedFriend
  conversation: ReturnType<typeof useConversation> & { data: Conversation }
}

function OpenConversation({ friend, user, conversation, takesLostFocus }: OpenConversationProps) {
  const { data: pages, isReadingEarlier, hasEarlierFailed } = conversation
  const cache = useMessagesCache()
  const newest = newestOf(pages)?.created_at ?? ''
  const { sending, setSending } = useSending(newest, (text, after) =>
    (pages.at(-1)?.messages ?? []).some(
      ({ created_at, sender_id, content }) => created_at > after && sender_id === user.id && content === text,
    ),
  )
  const [isSharing, setIsSharing] = useState(false)
  const { end, isBehind, goToEnd } = useStickToEnd(newest, sending !== null)
  const drawnHeight = useDrawnHeight()
  const [since] = useState(() => startOfWindow(pages.at(-1)?.messages ?? [], drawnHeight))
  const isWhole = since === '' || drawnHeight === Infinity
  const { list, readEarlier } = useEarlierItems(
    isWhole ? pages[0]?.messages[0]?.id : since,
    conversation.readEarlier,
    isWhole,
  )
  const remove = useDeletion(friend.id)
  const { report, dialog } = useReport()
  useMarkReadWhenSeen(list, friend, pages, isWhole)
  useNoScrollRestoration()

  return (
    <section
      aria-label={`Messages with ${friendName(friend)}`}
      data-ends-page
      // With the header of the page it fills the window, so that the field of a short conversation stands at its end.
      className="flex min-h-[calc(100dvh-var(--header)-1rem-var(--bottom-bar,3rem))] min-w-0 flex-col gap-4 [overflow-anchor:none] sm:min-h-[calc(100dvh-var(--header)-1.5rem-1px-var(--bottom-bar,3rem))]"
    >
      <Head
        friend={friend}
        user={user}
        hasMessages={newest !== ''}
        takesLostFocus={takesLostFocus}
        onReport={() => report({ kind: 'person', id: friend.id })}
      />
      <div className="flex flex-1 flex-col justify-end gap-4">
        {isWhole && readEarlier !== null && (
          <EarlierMessages
            key={pages[0]?.before}
            isBusy={isReadingEarlier}
            hasFailed={hasEarlierFailed}
            onRead={readEarlier}
          />
        )}
        <MessageList
          ref={list}
          pages={pages}
          since={since}
          isWhole={isWhole}
          friend={friend}
          ownId={user.id}
          sending={sending}
          onDelete={remove}
          onReport={(id) => report({ kind: 'message', id })}
        />
        {newest === '' && sending === null && (
          <EmptyState text={`Write the first message to ${friendName(friend)}.`} drawing="letter" />
        )}
        <Outdated of={conversation} what="The messages" />
      </div>
      <ComposeBar isBehind={isBehind} newBelow="New messages" goToEnd={goToEnd} className="sm:mx-0 sm:px-0">
        <MessageField
          friend={friend}
          owner={user.id}
          onSending={setSending}
          onSent={(message) => cache.add(message, friend.id)}
          actions={
            <IconButton label="Share Diary Entry" icon={BookOpen} onClick={() => setIsSharing(true)} />
          }
        />
      </ComposeBar>
      {/* Scrolled to the bottom bar, without the distance that a page keeps. */}
      <div ref={end} className="-mt-4 -scroll-mb-2" />
      {isSharing && (
        <ShareDiaryDialog
          friend={friend}
          onShared={(message) => cache.add(message, friend.id)}
          onClose={() => setIsSharing(false)}
        />
      )}
      {dialog}
    </section>
  )
}

const ShareDiaryDialog = part(
  async () => (await import('./ShareDiaryDialog.tsx')).ShareDiaryDialog,
  failedDialog,
)

interface HeadProps {
  friend: ListedFriend
  user: User
  hasMessages: boolean
  takesLostFocus: boolean
  onReport: () => void
}

function Head({ friend, user, hasMessages, takesLostFocus, onReport }: HeadProps) {
  const name = friendName(friend)
  const block = useBlock()
  const remove = useRemoval()
  const [, navigate] = useLocation()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesLostFocus) focusWhenLost(heading.current!)
  }, [takesLostFocus])
  return (
    <header className="sticky top-0 z-10 low:static -mx-4 flex items-center gap-2 border-b border-line bg-paper px-4 py-2 sm:mx-0 sm:px-0">
      <Link
        href={messagesPath}
        className="touch inline-flex items-center gap-1.5 rounded-md text-sm text-lamp md:hidden"
      >
        <ArrowLeft aria-hidden className="size-5" />
        Friends
      </Link>
      <h2
        ref={heading}
        tabIndex={-1}
        dir="auto"
        className="min-w-0 flex-1 truncate text-xl font-semibold outline-none max-md:text-center"
      >
        {name}
      </h2>
      {hasMessages && (
        <SaveAs
          what="the conversation"
          formats={['pdf', 'html', 'md', 'txt']}
          read={async (work) => savedConversation(await readWholeConversation(friend.id, work), friend, user)}
          icon="always"
        />
      )}
      <Menu
        trigger={<IconButton label={`More about ${name}`} icon={Ellipsis} />}
        items={[
          { label: 'Report', icon: Flag, onSelect: onReport },
          {
            label: 'Remove Friend',
            icon: UserMinus,
            danger: true,
            onSelect: () => void remove(friend).then((isRemoved) => isRemoved && navigate(messagesPath)),
          },
          {
            label: 'Block',
            icon: Ban,
            danger: true,
            onSelect: () => void block(friend).then((isBlocked) => isBlocked && navigate(messagesPath)),
          },
        ]}
      />
    </header>
  )
}

const NoFriend = () => (
  <EmptyState
    text="This person is not among your friends."
    drawing="door"
    action={
      <Link href={messagesPath} className={buttonClass('quiet')}>
        ← Friends
      </Link>
    }
  />
)

/** Asks, and deletes an own message on both sides. */
function useDeletion(friendId: string) {
  const confirm = useConfirm()
  const toast = useToast()
  const { attempt } = useDeleteMessage()
  const { remove, refetchFriendsSoon } = useMessagesCache()
  return async (id: string) => {
    const text = 'Are you sure you want to delete this message?'
    if (!(await confirm({ text, verb: 'Delete', danger: true }))) return
    const deleted = await attempt({ params: { id } }, () =>
      toast({ title: 'The message could not be deleted. Please try again.', tone: 'destructive' }),
    )
    if (!deleted) return
    remove(id, friendId)
    // The list may show the words of the message.
    refetchFriendsSoon()
  }
}

/** A conversation opens at its newest message. After a reload the browser would scroll to where the reader was. */
function useNoScrollRestoration() {
  useEffect(() => {
    history.scrollRestoration = 'manual'
    return () => {
      history.scrollRestoration = 'auto'
    }
  }, [])
}
