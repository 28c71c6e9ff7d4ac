import { useEffect, useRef, useState } from 'react'
import { getDiaryEntry } from '#contract/diary/endpoints.ts'
import { diaryDate } from '#contract/diary/dates.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { friendName, type ListedFriend } from '#contract/friends/friend.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { useDiaryDays } from '#web/features/diary/index.ts'
import { sentenceOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { randomId } from '#web/lib/session-keys.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Skeletons } from '#web/ui/Skeletons.tsx'

interface ShareDiaryDialogProps {
  friend: ListedFriend
  onShared: (message: DirectMessage) => void
  onClose: () => void
}

/** A person chooses a saved diary entry, reads what will be sent, and sends it. */
export function ShareDiaryDialog({ friend, onShared, onClose }: ShareDiaryDialogProps) {
  const [day, setDay] = useState<string | null>(null)
  const [key] = useState(randomId)
  const name = friendName(friend)
  const entry = useEndpoint(getDiaryEntry, {
    params: { day: day ?? '' },
    enabled: day !== null,
    staleTime: 0,
  })
  const content = entry.data?.content
  const savedAt = entry.data?.updated_at
  const sending = useAction(sendMessage, { failure: 'Failed to share a diary entry' })
  const { refetch } = entry
  const preview = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (day !== null) preview.current?.focus()
  }, [day])

  const share = async () => {
    const input = {
      receiverId: friend.id,
      messageType: 'diary' as const,
      content: content!,
      diaryDate: day,
    }
    const idempotencyKey = `${key}-${day}-${savedAt}`
    const message = await sending.attempt({ input, idempotencyKey }, refetch)
    if (!message) return
    onShared(message)
    onClose()
  }
  const goBack = () => {
    sending.reset()
    setDay(null)
  }
  return (
    <Dialog
      onClose={onClose}
      title="Share Diary Entry"
      description={
        day === null
          ? 'Choose one of your saved entries.'
          : `${name} will get a copy of exactly this text. Later changes of your diary do not change the copy.`
      }
      footer={
        day !== null && (
          <>
            <Button variant="quiet" onClick={goBack}>
              ← All entries
            </Button>
            <Button
              busy={sending.status === 'running'}
              disabled={content === undefined || content === ''}
              onClick={() => void share()}
            >
              Share with {name}
            </Button>
          </>
        )
      }
    >
      {day === null ? (
        <Entries onChoose={setDay} />
      ) : (
        <div ref={preview} tabIndex={-1} className="flex flex-col gap-3 outline-none">
          <h3 className="text-lg font-semibold">{diaryDate(day)}</h3>
          {sending.error && (
            <p role="alert" className="text-sm font-medium text-bad">
              {sentenceOf(sending.error, 'The entry could not be sent. Check the connection and try again.')}
            </p>
          )}
          {entry.status === 'loading' && <Skeleton className="h-40 w-full" />}
          {entry.status === 'failed' && (
            <FailedState text="This entry could not be read." onTryAgain={refetch} />
          )}
          {content === '' && <p className="text-ink-soft">There is no saved entry on this day any more.</p>}
          {content && (
            <p dir="auto" className="reading">
              {content}
            </p>
          )}
        </div>
      )}
    </Dialog>
  )
}

function Entries({ onChoose }: { onChoose: (day: string) => void }) {
  const days = useDiaryDays()
  if (days.status === 'failed')
    return <FailedState text="Your diary could not be read." onTryAgain={days.refetch} />
  if (days.status === 'loading')
    return <Skeletons label="Loading your diary" count={4} each="h-14" className="flex flex-col gap-2" />
  if (days.data.length === 0) return <EmptyState text="You have no saved diary entry yet." drawing="book" />
  const months = Map.groupBy(days.data.toReversed(), ({ entry_date }) => entry_date.slice(0, 7))
  return (
    <div className="flex flex-col gap-5">
      {[...months].map(([month, entries]) => (
        <section
          key={month}
          aria-labelledby={`share-${month}`}
          className="[contain-intrinsic-size:auto_40rem] [content-visibility:auto]"
        >
          <h3 id={`share-${month}`} className="pb-1 text-base font-semibold text-ink-soft">
            {monthFormat.format(atNoon(`${month}-01`))}
          </h3>
          <ul>
            {entries.map((entry) => (
              <Entry key={entry.entry_date} entry={entry} onChoose={onChoose} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Entry({
  entry: { entry_date, content },
  onChoose,
}: {
  entry: DiaryEntry
  onChoose: (day: string) => void
}) {
  return (
    <li>
      <button
        type="button"
        onClick={() => onChoose(entry_date)}
        className="flex min-h-11 w-full items-baseline gap-3 rounded-md px-2 py-2 text-start hover:bg-sunk"
      >
        <time dateTime={entry_date} className="w-24 shrink-0 text-sm text-ink-soft">
          {dayFormat.format(atNoon(entry_date))}
        </time>
        <span dir="auto" className="min-w-0 flex-1 truncate font-serif">
          {firstLineOf(content)}
        </span>
      </button>
    </li>
  )
}

const firstLineOf = (content: string) => content.trimStart().split('\n', 1)[0]!.slice(0, 200)

const atNoon = (day: string) => new Date(`${day}T12:00:00Z`)
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const dayFormat = new Intl.DateTimeFormat('en-US', { weekday: 'long', day: 'numeric', timeZone: 'UTC' })
