import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { withArticle } from '#contract/abuse-reports/answer.ts'
import type { AbuseReport } from '#contract/abuse-reports/report.ts'
import { roomPath, storyPath } from '#contract/rooms/paths.ts'
import { cut } from '#contract/text.ts'
import { useSession } from '#web/features/account/index.ts'
import { actionNames, categoryNames, outcomeNames } from '#web/features/abuse-reports/index.ts'
import { type Erasable, useErase } from '#web/features/erasing/index.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Time } from '#web/lib/Time.tsx'

const shownAtFirst = 600

export function ReportRow({ report, onClose }: { report: AbuseReport; onClose: () => void }) {
  const { kind, category, copy, reason, reporterName, createdAt, status } = report
  const { isAdmin } = useSession()
  const { erase, dialog } = useErase()
  const erasable = isAdmin ? erasableOf(report) : null
  return (
    <Card
      as="li"
      className="flex flex-col gap-4"
      aria-label={`Report of ${withArticle(kind)} of ${copy.authorName}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2
          id={headingIdOf(report)}
          tabIndex={-1}
          dir="auto"
          className="min-w-0 font-serif text-lg font-semibold wrap-anywhere"
        >
          {reportedThing(report)}
        </h2>
        <span className="flex flex-wrap items-center gap-2 text-xs text-ink-soft">
          <Badge tone={status === 'open' ? 'warn' : 'plain'}>{status === 'open' ? 'Open' : 'Closed'}</Badge>
          <Badge tone="outline">{categoryNames[category]}</Badge>
        </span>
      </div>
      <figure className="flex flex-col gap-1.5 border-s-2 border-edge ps-4">
        <Text text={copy.content} kind={kind} />
        <figcaption className="text-xs text-ink-soft">
          {kind === 'person' ? 'Signed up' : 'Written'} <Time at={copy.createdAt} /> ·{' '}
          <Target report={report} />
        </figcaption>
      </figure>
      <div className="flex flex-col gap-1.5">
        <h3 className="text-sm font-medium">
          {reporterName ?? 'A deleted user'} reported this <Time at={createdAt} />
        </h3>
        {reason === null ? (
          <Note>The reason is not stored any more.</Note>
        ) : (
          <p dir="auto" className="text-sm whitespace-pre-wrap wrap-anywhere">
            {reason}
          </p>
        )}
      </div>
      {status === 'closed' && <Outcome report={report} />}
      <div className="flex flex-wrap items-center justify-end gap-3 empty:hidden">
        {erasable && (
          <Button variant="link" className="text-sm" onClick={() => erase(erasable)}>
            Erase
            <span className="sr-only">
              {' '}
              the {kind} of {copy.authorName}
            </span>
          </Button>
        )}
        {status === 'open' && (
          <Button variant="quiet" onClick={onClose}>
            Close report
            <span className="sr-only">
              {' '}
              of {withArticle(kind)} of {copy.authorName}
            </span>
          </Button>
        )}
      </div>
      {dialog}
    </Card>
  )
}

export const headingIdOf = ({ id }: AbuseReport): string => `report-${id}`

/** What was reported, such as "An aside of Ben Ode". */
export const reportedThing = ({ kind, copy }: AbuseReport): string =>
  kind === 'person' ? copy.authorName : `${withArticle(kind).replace(/^a/, 'A')} of ${copy.authorName}`

/** What the admin may erase without closing the report: a passage while it exists, or a post that exists or that its author may have taken back. The copy of an erased post is gone. */
export function erasableOf({ kind, targetId: id, exists, roomId, copy }: AbuseReport): Erasable | null {
  const { content } = copy
  if (kind === 'post') return exists || content !== null ? { kind, id, content } : null
  return kind === 'passage' && exists && roomId !== null ? { kind, id, roomId, content } : null
}

/** The copy. A long one shows its beginning. */
function Text({ text, kind }: { text: string | null; kind: AbuseReport['kind'] }) {
  const [isWhole, setIsWhole] = useState(false)
  if (text === null)
    return (
      <Note>
        {kind === 'message' || kind === 'person'
          ? 'The copy is missing or damaged.'
          : 'The text was erased, or the copy is damaged.'}
      </Note>
    )
  // The names of a deleted person are gone, and the introduction may be empty.
  if (text === '') return <Note>The person had no introduction.</Note>
  const beginning = cut(text, shownAtFirst)
  return (
    <>
      <blockquote dir="auto" className="font-serif leading-relaxed whitespace-pre-wrap wrap-anywhere">
        {isWhole ? text : beginning}
      </blockquote>
      {beginning !== text && (
        <Button
          variant="link"
          className="self-start text-sm"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : 'Show all'}
        </Button>
      )}
    </>
  )
}

/** Leads to what was reported, where an admin can open it: nobody but the two friends reads a conversation. */
function Target({ report }: { report: AbuseReport }) {
  const { kind, exists } = report
  const path = pathOfTarget(report)
  if (path !== null)
    return (
      <Link href={path} className="touch text-lamp underline">
        {kind === 'post' ? 'Open the post' : 'Open the Z!mmer'}
      </Link>
    )
  return exists ? 'It still exists' : 'It cannot be found any more'
}

function pathOfTarget({ kind, targetId, exists, roomId, isInStory }: AbuseReport) {
  if (kind === 'post' && exists) return `/posts/${targetId}`
  if (roomId === null) return null
  return isInStory ? storyPath(roomId) : roomPath(roomId)
}

function Outcome({ report: { outcome, actions, note, closedBy, closedAt } }: { report: AbuseReport }) {
  const done = actions.map((action) => actionNames[action])
  return (
    <div className="rounded-md bg-sunk px-4 py-3 text-sm">
      <p className="font-medium">
        {(done.length > 0 ? done : [outcomeNames[outcome!]]).join(' · ')} · {closedBy ?? 'A deleted user'},{' '}
        <Time at={closedAt!} />
      </p>
      {note && (
        <p dir="auto" className="mt-1 whitespace-pre-wrap wrap-anywhere">
          {note}
        </p>
      )}
    </div>
  )
}

const Note = ({ children }: { children: ReactNode }) => (
  <p className="text-sm text-ink-soft italic">{children}</p>
)
