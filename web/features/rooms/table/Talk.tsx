import { ChevronDown, Flag, MessageCircle } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import type { User } from '#contract/account/user.ts'
import type { Room } from '#contract/rooms/room.ts'
import { type Aside, asidesKeptMs } from '#contract/rooms/table/asides.ts'
import { useReport } from '#web/features/abuse-reports/index.ts'
import type { ReadState } from '#web/lib/api.ts'
import { useInterval } from '#web/lib/interval.ts'
import { timeOfDay, useClockFormat } from '#web/lib/locale.ts'
import { personKey, storedText } from '#web/lib/storage.ts'
import { Time } from '#web/lib/Time.tsx'
import type { Pages } from '#web/lib/pages.ts'
import { useSending } from '#web/lib/use-outbox.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { NotReady, Outdated } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { tintOf } from '../room/tints.ts'
import { useAsides } from './api.ts'
import { TalkField } from './TalkField.tsx'

export interface TalkProps {
  room: Room
  user: User
  /** In the rail beside the story, or in a sheet over the page. */
  shape: 'rail' | 'sheet'
}

/** What people at a table say beside the story: closed, with the number of what is new, until the reader opens it. */
export function Talk({ room, user, shape }: TalkProps) {
  const asides = useAsides(room.id)
  const [isOpen, setOpen] = useState(false)
  const panelId = useId()
  const items = asides.data?.items ?? []
  const newCount = useNewCount({ roomId: room.id, ownerId: user.id, items, isOpen })
  // Nobody is told of an aside whose message between processes was lost.
  useInterval(pollMs, asides.refetch)

  const isOver = !room.isActive
  // After the end whoever had no seat is refused, and without asides there is nothing to show.
  if (isOver && items.length === 0) return null
  const panel = <Panel room={room} user={user} asides={asides} shape={shape} />
  return (
    <div className={cx('flex min-w-0 flex-col gap-3', isOver && 'items-center print:hidden')}>
      <Button
        variant="quiet"
        className={shape === 'rail' ? 'w-full' : 'max-sm:px-3'}
        onClick={() => setOpen(!isOpen)}
        {...(shape === 'rail'
          ? { 'aria-expanded': isOpen, 'aria-controls': isOpen ? panelId : undefined }
          : { 'aria-haspopup': 'dialog' })}
      >
        <MessageCircle aria-hidden className="size-4" />
        Talk
        {newCount > 0 && (
          <Badge tone="lamp">
            {newCount}
            <span className="sr-only"> new</span>
          </Badge>
        )}
        {shape === 'rail' && (
          <ChevronDown
            aria-hidden
            className={cx('ms-auto size-4 transition-transform duration-150', isOpen && 'rotate-180')}
          />
        )}
      </Button>
      {!isOpen && (
        <p role="status" className="sr-only">
          {newCount > 0 && `New in the talk: ${newCount}`}
        </p>
      )}
      {isOpen && shape === 'rail' && (
        <div id={panelId} className="flex flex-col gap-3">
          <p className="text-xs text-ink-soft">{beside(room)}</p>
          {panel}
        </div>
      )}
      {isOpen && shape === 'sheet' && (
        <Dialog title="Talk" description={beside(room)} startsInField onClose={() => setOpen(false)}>
          <div className="flex h-full flex-col gap-3 sm:h-[min(55dvh,32rem)]">{panel}</div>
        </Dialog>
      )}
    </div>
  )
}

const pollMs = 30_000

const beside = (room: Room) =>
  room.isActive ? (
    'For this table alone, and no part of the story. Deleted 24 hours after the end.'
  ) : (
    <>
      For this table alone. It will be deleted on <Time at={deletedAt(room)} />.
    </>
  )

const deletedAt = ({ expiresAt }: Room) => new Date(Date.parse(expiresAt) + asidesKeptMs).toISOString()

interface PanelProps extends TalkProps {
  asides: ReadState<Pages<Aside>>
}

function Panel({ room, user, asides, shape }: PanelProps) {
  const items = asides.data?.items ?? []
  const { report, dialog } = useReport()
  const { sending, setSending } = useSending(items[0]?.id ?? '', (text, after) =>
    items.some(({ id, userId, content }) => id > after && userId === user.id && content === text),
  )
  return (
    <>
      {asides.status === 'ready' ? (
        // Grows upwards from its end, where the newest aside is, also when somebody speaks.
        <div
          role="log"
          aria-label="What was said"
          // Without a place in the order of focus, the keyboard could not scroll the text.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className={cx(
            // Padding for the flags and their outlines, which the list would cut off.
            '-mx-1 -mt-1 flex flex-col-reverse overflow-y-auto overscroll-contain px-1 pt-2.5',
            shape === 'rail' ? 'max-h-[30dvh]' : 'min-h-0 flex-1',
          )}
        >
          <div className="flex flex-col gap-3">
            {asides.data.readMore !== null && (
              <Button
                variant="link"
                className="self-start text-sm"
                busy={asides.data.isReadingMore}
                onClick={asides.data.readMore}
              >
                Earlier
              </Button>
            )}
            {items.length === 0 && sending === null && (
              <p className="text-sm text-ink-soft">Nobody has said anything yet.</p>
            )}
            <ol className="flex flex-col gap-3">
              {items.toReversed().map((aside) => (
                <Said
                  key={aside.id}
                  aside={aside}
                  onReport={aside.userId === user.id ? null : () => report({ kind: 'aside', id: aside.id })}
                />
              ))}
              {sending !== null && (
                <li className="opacity-60">
                  <p className="text-xs text-ink-soft">Sending…</p>
                  <Text content={sending} />
                </li>
              )}
            </ol>
          </div>
        </div>
      ) : (
        <div className="flex-1">
          <NotReady of={asides} what="The talk" waiting={<Skeleton className="h-24 w-full" />} />
        </div>
      )}
      <Outdated of={asides} what="The talk" />
      {room.isActive && <TalkField room={room} user={user} onSending={setSending} onSent={asides.refetch} />}
      {dialog}
    </>
  )
}

interface SaidProps {
  aside: Aside
  /** Null for what the reader has said. */
  onReport: (() => void) | null
}

function Said({ aside: { userId, authorName, content, createdAt }, onReport }: SaidProps) {
  const clock = useClockFormat()
  const isOwn = onReport === null
  return (
    // A tap on what somebody else has said focuses it, and so shows its action.
    <li ref={focusLogAfter} tabIndex={isOwn ? undefined : -1} className="group outline-none">
      <div className="flex items-center gap-2 text-xs text-ink-soft">
        <span dir="auto" className={cx('truncate font-medium', isOwn ? 'text-lamp' : tintOf(userId).text)}>
          {isOwn ? 'You' : (authorName ?? `User ${userId}`)}
        </span>
        <time dateTime={createdAt} className="whitespace-nowrap">
          {timeOfDay(createdAt, {}, clock)}
        </time>
        {onReport && (
          <IconButton
            label="Report this aside"
            icon={Flag}
            onClick={onReport}
            // An action that is not seen does nothing under a finger.
            className="-my-2.5 ms-auto opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:pointer-events-none pointer-coarse:group-focus-within:pointer-events-auto"
          />
        )}
      </div>
      <Text content={content} />
    </li>
  )
}

/** When an aside that has the focus is removed, its list gets the focus. */
function focusLogAfter(item: HTMLLIElement) {
  const log = item.closest<HTMLElement>('[role=log]')!
  return () => {
    if (item.contains(document.activeElement)) log.focus({ preventScroll: true })
  }
}

const Text = ({ content }: { content: string }) => (
  <p dir="auto" className="text-sm whitespace-pre-wrap wrap-anywhere">
    {content}
  </p>
)

interface NewCountProps {
  roomId: string
  ownerId: string
  /** The newest first. */
  items: readonly Aside[]
  isOpen: boolean
}

/** How many loaded asides of others came after the newest one that was shown on this device. */
function useNewCount({ roomId, ownerId, items, isOpen }: NewCountProps): number {
  const [stored] = useState(() => storedText(personKey('aside-seen', ownerId, roomId)))
  const [seenId, setSeenId] = useState(() => stored.read() ?? '')
  const newestId = items[0]?.id
  if (isOpen && newestId !== undefined && newestId > seenId) setSeenId(newestId)
  useEffect(() => {
    if (seenId !== '') stored.write(seenId)
  }, [stored, seenId])
  return isOpen ? 0 : items.filter(({ id, userId }) => id > seenId && userId !== ownerId).length
}
