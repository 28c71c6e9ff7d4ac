import { useState } from 'react'
import { authorOf, type RoomMessage } from '#contract/rooms/room.ts'
import { cx } from '#web/ui/cx.ts'

interface PassageListProps {
  passages: readonly RoomMessage[]
  ownId: string | null
  /** A line on its way to the server. */
  sending: string | null
}

/** The story as far as it is written, with its authors in the margin. */
export function PassageList({ passages, ownId, sending }: PassageListProps) {
  const [firstNew] = useState(() => (passages.at(-1)?.position ?? 0) + 1)
  return (
    <div role="log" aria-label="The story so far">
      <ol className="flex flex-col gap-5">
        {passages.map((passage) => (
          <li key={passage.position} data-position={passage.position} className="contents">
            <Passage
              author={authorOf(passage)}
              content={passage.content}
              isOwn={passage.userId !== null && passage.userId === ownId}
              isNew={passage.position >= firstNew}
            />
          </li>
        ))}
        {sending !== null && (
          <li className="contents">
            <Passage author="Sending…" content={sending} isOwn isNew={false} />
          </li>
        )}
      </ol>
    </div>
  )
}

interface PassageProps {
  author: string
  content: string
  isOwn: boolean
  isNew: boolean
}

function Passage({ author, content, isOwn, isNew }: PassageProps) {
  return (
    <div
      className={cx(
        'grid gap-x-6 gap-y-0.5 border-l-2 pl-4 md:grid-cols-[10rem_minmax(0,1fr)]',
        isOwn ? 'border-lamp' : 'border-transparent',
        isNew && 'animate-rise motion-reduce:animate-none',
      )}
    >
      <p className="pt-1 text-xs text-ink-soft wrap-anywhere md:text-right">{author}</p>
      <p className="reading max-w-reading wrap-anywhere whitespace-pre-wrap">{content}</p>
    </div>
  )
}
