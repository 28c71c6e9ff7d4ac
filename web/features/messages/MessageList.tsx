import { BookOpen, Flag, Trash2 } from 'lucide-react'
import { memo, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { dayLabel } from '#contract/days.ts'
import { diaryDate } from '#contract/diary/dates.ts'
import { friendName, type ListedFriend } from '#contract/friends/friend.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { cut } from '#contract/text.ts'
import { useClock } from '#web/lib/interval.ts'
import { timeOfDay } from '#web/lib/locale.ts'
import { dayHere, todayHere } from '#web/lib/today.ts'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { type Conversation, lastOfGroups } from './conversation.ts'

interface MessageListProps {
  ref: RefObject<HTMLDivElement | null>
  pages: Conversation
  /** Messages since this time fill the window. They are drawn before the others. */
  since: string
  /** Whether the messages before `since` are drawn as well. */
  isWhole: boolean
  friend: ListedFriend
  ownId: string
  /** A message that is being sent. */
  sending: string | null
  onDelete: (id: string) => Promise<void>
  onReport: (id: string) => void
}

/**
 * The loaded messages by day. Screen readers announce messages that arrive later, and neither those of earlier pages nor those that
 * are drawn after the first frame.
 */
export function MessageList({
  ref,
  pages,
  since,
  isWhole,
  friend,
  ownId,
  sending,
  onDelete,
  onReport,
}: MessageListProps) {
  const name = friendName(friend)
  const today = useClock(todayHere)
  const newest = pages.at(-1)?.messages ?? []
  const above = newest.filter(({ created_at }) => created_at < since)
  const lists = [
    ...pages.slice(0, -1).map(({ messages }) => messages),
    above,
    above.length === 0 ? newest : newest.slice(above.length),
  ]
  const days = lists.map((messages) => {
    const last = messages.at(-1)
    return last && dayOfMessage(last)
  })
  const common = { today, name, ownId, onDelete, onReport }
  const listAt = (i: number) => ({
    messages: lists[i]!,
    previousDay: days.slice(0, i).findLast((day) => day !== undefined) ?? null,
  })
  return (
    <div
      ref={ref}
      tabIndex={-1}
      role="group"
      aria-label="The messages so far"
      className="flex flex-col gap-3 outline-none"
    >
      {isWhole &&
        pages
          .slice(0, -1)
          .map(({ before }, i) => <MessagesOfPage key={before} {...common} {...listAt(i)} isEarlier />)}
      {isWhole && above.length > 0 && (
        <MessagesOfPage {...common} {...listAt(pages.length - 1)} isEarlier={false} />
      )}
      <div role="log" aria-label="The newest messages">
        <MessagesOfPage {...common} {...listAt(pages.length)} isEarlier={false} />
      </div>
      {sending !== null && (
        <div className="flex flex-row-reverse items-end gap-x-2 pointer-coarse:flex-col pointer-coarse:items-end">
          <div className={bubbleClass(true)}>
            <MessageText text={sending} />
          </div>
          <p className="py-1 text-xs text-ink-soft">Sending…</p>
        </div>
      )}
    </div>
  )
}

interface MessagesOfPageProps {
  messages: readonly DirectMessage[]
  /** Whether later messages are on another page. */
  isEarlier: boolean
  /** The day of the message before this page. */
  previousDay: string | null
  today: string
  /** The name of the friend. */
  name: string
  ownId: string
  onDelete: (id: string) => Promise<void>
  onReport: (id: string) => void
}

/**
 * One loaded page, or a part of the newest one. Out of sight it is not laid out and keeps its measured height. Far from the window
 * an earlier page is an empty box of this height: a conversation of many pages stays light, and nothing moves.
 */
const MessagesOfPage = memo(({ messages, previousDay, isEarlier, ...common }: MessagesOfPageProps) => {
  const box = useRef<HTMLDivElement>(null)
  const farHeight = useFarHeight(box, isEarlier)
  useLayoutEffect(() => {
    const { style } = box.current!
    style.contentVisibility = 'visible'
    style.containIntrinsicBlockSize = `auto ${box.current!.offsetHeight}px`
    style.contentVisibility = 'auto'
  }, [messages, previousDay])
  if (farHeight !== null) return <div ref={box} style={{ blockSize: farHeight }} />
  return (
    <div ref={box} className="-mx-1 flex flex-col gap-3 px-1">
      {byDay(messages).map(([day, ofDay]) => (
        <section key={day} className="flex flex-col gap-3">
          {day !== previousDay && (
            <h3 className="py-2 text-center font-sans text-xs font-medium text-ink-soft">
              {labelOf(day, common.today)}
            </h3>
          )}
          <ol className="flex flex-col gap-2">
            {withGroups(ofDay).map(({ message, isLastOfGroup }) => (
              <Message key={message.id} message={message} isLastOfGroup={isLastOfGroup} {...common} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
})

/** A page counts as far from the window beyond this distance: several windows, which nobody scrolls in one frame. */
const farMargin = '4000px 0px'

/** The height of a page that is far from the window; null for a page that is near, or contains the focus. */
function useFarHeight(box: RefObject<HTMLDivElement | null>, mayBeEmpty: boolean): number | null {
  const [height, setHeight] = useState<number | null>(null)
  useEffect(() => {
    if (!mayBeEmpty) return
    const observer = new IntersectionObserver(
      (entries) => {
        const { offsetHeight } = box.current!
        const isNear = entries.at(-1)!.isIntersecting || box.current!.contains(document.activeElement)
        setHeight(isNear || offsetHeight === 0 ? null : offsetHeight)
      },
      { rootMargin: farMargin },
    )
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [box, mayBeEmpty])
  return height
}

type MessageProps = Omit<MessagesOfPageProps, 'messages' | 'previousDay' | 'today' | 'isEarlier'> & {
  message: DirectMessage
  /** Whether the time is shown without a tap or the focus. */
  isLastOfGroup: boolean
}

function Message({ message, isLastOfGroup, name, ownId, onDelete, onReport }: MessageProps) {
  const { id, content, created_at, diary_date } = message
  const isOwn = message.sender_id === ownId
  const item = useRef<HTMLLIElement>(null)
  useFocusOfListAfter(item)
  return (
    <li
      ref={item}
      data-message={id}
      className={cx(
        'group flex items-end gap-x-2 pointer-coarse:flex-col',
        isOwn ? 'flex-row-reverse pointer-coarse:items-end' : 'pointer-coarse:items-start',
      )}
    >
      {/* A tap on a message focuses it, and so shows its time and its action. Keys reach the action. */}
      <div tabIndex={-1} className={cx(bubbleClass(isOwn), 'outline-none')}>
        <span className="sr-only">{isOwn ? 'You: ' : `${name}: `}</span>
        {diary_date === null ? (
          <MessageText text={content} />
        ) : (
          <SharedEntry day={diary_date} content={content} />
        )}
      </div>
      <div
        className={cx(
          'flex items-center gap-1',
          isOwn && 'flex-row-reverse',
          !isLastOfGroup && 'pointer-coarse:sr-only pointer-coarse:group-focus-within:not-sr-only',
        )}
      >
        <time
          dateTime={created_at}
          className={cx('py-1 text-xs whitespace-nowrap text-ink-soft', !isLastOfGroup && onDemand)}
        >
          {timeOfDay(created_at)}
        </time>
        <IconButton
          {...(isOwn
            ? { label: 'Delete', icon: Trash2, onClick: () => void onDelete(id) }
            : { label: 'Report', icon: Flag, onClick: () => onReport(id) })}
          // An action that is not seen does nothing under a finger.
          className={cx(
            onDemand,
            'pointer-coarse:pointer-events-none pointer-coarse:-my-3 pointer-coarse:group-focus-within:pointer-events-auto pointer-fine:-my-2',
          )}
        />
      </div>
    </li>
  )
}

/** Shown to a pointer over the message, a tap on it, and the focus. Screen readers read it always. */
const onDemand = 'opacity-0 group-hover:opacity-100 group-focus-within:opacity-100'

/** When an item that has the focus is removed, its list gets the focus. */
function useFocusOfListAfter(item: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const removed = item.current!
    const list = removed.closest<HTMLElement>('[role=group]')!
    return () => {
      if (removed.contains(document.activeElement)) list.focus({ preventScroll: true })
    }
  }, [item])
}

/** Own messages stand at the other side and have a mark at their edge. */
const bubbleClass = (isOwn: boolean) =>
  cx(
    'max-w-[min(34rem,85%)] min-w-0 border border-line px-3.5 py-2',
    isOwn ? 'rounded-s-lg border-e-2 border-e-lamp bg-surface' : 'rounded-e-lg bg-sunk',
  )

const MessageText = ({ text }: { text: string }) => (
  <p
    dir="auto"
    className="font-serif leading-relaxed whitespace-pre-wrap wrap-anywhere [unicode-bidi:plaintext]"
  >
    {text}
  </p>
)

const shownAtFirst = 600

/** The copy of a diary entry. A long one shows its beginning. */
function SharedEntry({ day, content }: { day: string; content: string }) {
  const [isWhole, setIsWhole] = useState(false)
  const beginning = cut(content, shownAtFirst)
  const isLong = beginning !== content
  return (
    <figure className="flex flex-col gap-2 py-1">
      <figcaption className="flex items-center gap-2 border-b border-line pb-2 text-sm text-ink-soft">
        <BookOpen aria-hidden className="size-4 shrink-0" />
        From the diary · {diaryDate(day)}
      </figcaption>
      <MessageText text={isWhole ? content : beginning} />
      {isLong && (
        <Button
          variant="link"
          className="self-start text-sm"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : 'Continue reading'}
        </Button>
      )}
    </figure>
  )
}

const dayOfMessage = ({ created_at }: DirectMessage) => dayHere(new Date(created_at))

function withGroups(messages: readonly DirectMessage[]) {
  const last = lastOfGroups(messages)
  return messages.map((message) => ({ message, isLastOfGroup: last.has(message.id) }))
}

/** Messages of the same day stand together: the times of a conversation only grow. */
const byDay = (messages: readonly DirectMessage[]) => [...Map.groupBy(messages, dayOfMessage)]

/** A day of an earlier year is shown with its year. */
const labelOf = (day: string, today: string) =>
  day.slice(0, 4) === today.slice(0, 4) ? dayLabel(day, today) : diaryDate(day)
