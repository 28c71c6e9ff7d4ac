import { Eraser, Flag } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { authorOf, type RoomPassage } from '#contract/rooms/room.ts'
import { useReport } from '#web/features/abuse-reports/index.ts'
import { useSession } from '#web/features/account/index.ts'
import { useErase } from '#web/features/erasing/index.ts'
import { cx } from '#web/ui/cx.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { WrittenBody } from '#web/ui/WrittenText.tsx'
import { ErasedMark } from './ErasedMark.tsx'
import { FoldedStrip } from './FoldedStrip.tsx'
import { formOfPassage, isSameAuthor } from './passages.ts'
import { tintOf } from './tints.ts'

interface PassageListProps {
  ref: RefObject<HTMLDivElement | null>
  passages: readonly RoomPassage[]
  ownId: string | null
  /** Whether the reader may report passages of others. */
  mayReport: boolean
  /** A passage that is being sent. */
  sending: string | null
}

/** The story so far, with its authors in the margin. Screen readers announce only passages that arrive later. */
export function PassageList({ ref, passages, ownId, mayReport, sending }: PassageListProps) {
  const { report, dialog } = useReport()
  const { isAdmin } = useSession()
  const { erase, dialog: erasing } = useErase()
  const tools: Tools = {
    onReport: mayReport ? ({ id }) => report({ kind: 'passage', id }) : null,
    onErase: isAdmin ? ({ id, roomId, content }) => erase({ kind: 'passage', id, roomId, content }) : null,
  }
  const [firstNew] = useState(() => (passages.at(-1)?.position ?? 0) + 1)
  const signed = passages.map((passage, i) => ({
    passage,
    isContinued: isSameAuthor(passage, passages[i - 1]),
  }))
  const [read, written] = [
    signed.filter(({ passage }) => passage.position < firstNew),
    signed.filter(({ passage }) => passage.position >= firstNew),
  ]
  return (
    <div
      ref={ref}
      tabIndex={-1}
      role="group"
      aria-label="The story so far"
      className="flex flex-col gap-5 outline-none"
    >
      {read.length > 0 && <Passages passages={read} ownId={ownId} tools={tools} />}
      <div role="log" aria-label="New passages" className="empty:-mt-5">
        {written.length > 0 && <Passages passages={written} ownId={ownId} tools={tools} areNew />}
      </div>
      {sending !== null && <Passage author="Sending…" content={sending} isOwn />}
      {dialog}
      {erasing}
    </div>
  )
}

/** What the reader may do with passages; null for what not. */
interface Tools {
  /** With those of others. */
  onReport: ((passage: RoomPassage) => void) | null
  onErase: ((passage: RoomPassage) => void) | null
}

interface PassagesProps {
  passages: readonly { passage: RoomPassage; isContinued: boolean }[]
  ownId: string | null
  tools: Tools
  areNew?: boolean
}

function Passages({ passages, ownId, tools: { onReport, onErase }, areNew = false }: PassagesProps) {
  return (
    <ol className="flex flex-col gap-5">
      {passages.map(({ passage, isContinued }) => (
        <li
          key={passage.position}
          data-position={passage.position}
          className={cx(areNew && 'animate-rise motion-reduce:animate-none')}
        >
          <Passage
            author={isContinued ? null : signatureFor(passage, ownId)}
            authorId={passage.userId}
            content={passage.content}
            isErased={passage.isErased}
            foldedWords={passage.folded ? passage.words : null}
            isOwn={isOwn(passage, ownId)}
            onReport={onReport && hasText(passage) && !isOwn(passage, ownId) ? () => onReport(passage) : null}
            onErase={onErase && hasText(passage) ? () => onErase(passage) : null}
          />
        </li>
      ))}
    </ol>
  )
}

interface PassageProps {
  /** Null when the previous passage is by the same author. */
  author: string | null
  /** Null after the author has deleted the account, and while the passage is being sent. */
  authorId?: string | null
  content: string
  isErased?: boolean
  /** The number of words of a passage whose text the reader does not get before the end; null for all others. */
  foldedWords?: number | null
  isOwn: boolean
  onReport?: (() => void) | null
  onErase?: (() => void) | null
}

function Passage(props: PassageProps) {
  const { author, authorId = null, content, isErased = false, foldedWords = null, isOwn } = props
  const { onReport = null, onErase = null } = props
  const tint = isOwn || authorId === null ? null : tintOf(authorId)
  return (
    <div
      tabIndex={onReport === null && onErase === null ? undefined : -1}
      className={cx(
        'group grid outline-none gap-x-6 gap-y-0.5 border-s-2 ps-4 md:grid-cols-[10rem_minmax(0,1fr)]',
        isOwn ? 'border-lamp' : (tint?.border ?? 'border-transparent'),
      )}
    >
      <div className="relative flex items-start justify-end gap-1">
        <p
          className={cx(
            'min-w-0 flex-1 pt-1 text-xs wrap-anywhere empty:pt-0 md:order-last md:text-end',
            onErase ? 'md:ps-13' : 'md:ps-7',
            tint?.text ?? 'text-ink-soft',
          )}
        >
          {author}
        </p>
        {/* On a phone they stand in the gap above the passage, so that no line of the story moves for them. Under a finger
            they do nothing until a tap on the passage has shown them. */}
        <span className="absolute -top-8 inset-e-0 flex opacity-0 group-hover:opacity-100 group-focus-within:opacity-100 md:-top-1 md:inset-e-auto md:-inset-s-2 pointer-coarse:pointer-events-none pointer-coarse:group-focus-within:pointer-events-auto">
          {onReport && <IconButton label="Report this passage" icon={Flag} onClick={onReport} />}
          {onErase && (
            <IconButton
              label="Erase this passage"
              icon={Eraser}
              onClick={onErase}
              className={cx(onReport && 'md:-ms-2.5')}
            />
          )}
        </span>
      </div>
      {isErased ? (
        <ErasedMark mark={content} />
      ) : foldedWords !== null ? (
        <FoldedStrip words={foldedWords} />
      ) : (
        <div className="reading max-w-reading wrap-anywhere whitespace-pre-wrap">
          <WrittenBody form={formOfPassage(content, { opensStory: false })} />
        </div>
      )}
    </div>
  )
}

/** Others may be reported and erased once they can be read. */
const hasText = ({ isErased, folded }: RoomPassage) => !isErased && !folded

const isOwn = ({ userId }: RoomPassage, ownId: string | null) => userId !== null && userId === ownId

const signatureFor = (passage: RoomPassage, ownId: string | null) =>
  isOwn(passage, ownId) ? `${authorOf(passage)} (you)` : authorOf(passage)
