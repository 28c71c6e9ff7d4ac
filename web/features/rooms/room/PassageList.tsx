import { type RefObject, useState } from 'react'
import { authorOf, type RoomPassage } from '#contract/rooms/room.ts'
import { cx } from '#web/ui/cx.ts'

interface PassageListProps {
  ref: RefObject<HTMLDivElement | null>
  passages: readonly RoomPassage[]
  ownId: string | null
  /** A passage on its way to the server. */
  sending: string | null
}

/** The story as far as it is written, with its authors in the margin. Only what is written meanwhile is read out. */
export function PassageList({ ref, passages, ownId, sending }: PassageListProps) {
  const [firstNew] = useState(() => (passages.at(-1)?.position ?? 0) + 1)
  const [read, written] = [
    passages.filter(({ position }) => position < firstNew),
    passages.filter(({ position }) => position >= firstNew),
  ]
  return (
    <div
      ref={ref}
      tabIndex={-1}
      role="group"
      aria-label="The story so far"
      className="flex flex-col gap-5 outline-none"
    >
      {read.length > 0 && <Passages passages={read} ownId={ownId} />}
      <div role="log" aria-label="New passages" className="empty:-mt-5">
        {written.length > 0 && <Passages passages={written} ownId={ownId} areNew />}
      </div>
      {sending !== null && <Passage author="Sending…" content={sending} isOwn />}
    </div>
  )
}

interface PassagesProps extends Pick<PassageListProps, 'passages' | 'ownId'> {
  areNew?: boolean
}

function Passages({ passages, ownId, areNew = false }: PassagesProps) {
  return (
    <ol className="flex flex-col gap-5">
      {passages.map((passage) => (
        <li
          key={passage.position}
          data-position={passage.position}
          className={cx(areNew && 'animate-rise motion-reduce:animate-none')}
        >
          <Passage
            author={authorOf(passage)}
            content={passage.content}
            isOwn={passage.userId !== null && passage.userId === ownId}
          />
        </li>
      ))}
    </ol>
  )
}

interface PassageProps {
  author: string
  content: string
  isOwn: boolean
}

function Passage({ author, content, isOwn }: PassageProps) {
  return (
    <div
      className={cx(
        'grid gap-x-6 gap-y-0.5 border-l-2 pl-4 md:grid-cols-[10rem_minmax(0,1fr)]',
        isOwn ? 'border-lamp' : 'border-transparent',
      )}
    >
      <p className="pt-1 text-xs text-ink-soft wrap-anywhere md:text-right">{author}</p>
      <p className="reading max-w-reading wrap-anywhere whitespace-pre-wrap">{content}</p>
    </div>
  )
}
