import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { listPassages } from '#contract/rooms/endpoints.ts'
import type { RoomPassage } from '#contract/rooms/room.ts'
import { wordsOf } from '#contract/text-words.ts'
import { sendForPage } from '#web/lib/request.ts'

interface WordGoalProps {
  roomId: string
  goal: number
  /** The newest passages of the story, without a gap. */
  passages: readonly RoomPassage[]
}

/** How many words of its goal a story has. */
export function WordGoal({ roomId, goal, passages }: WordGoalProps) {
  const textId = useId()
  const shown = wordsUpTo(goal, passages.toReversed())
  const first = passages[0]?.position ?? 1
  const earlier = useQuery({
    queryKey: ['words before', roomId, first],
    queryFn: ({ signal }) => readWordsBefore(roomId, first, { atMost: goal, signal }),
    enabled: first > 1 && shown < goal,
    staleTime: Infinity,
  })
  const words = first > 1 && shown < goal ? earlier.data && earlier.data + shown : shown
  const whole = `${goal.toLocaleString('en-US')} words`
  if (words === undefined) return <p className="text-sm text-ink-soft">Goal: {whole}</p>
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-soft tabular-nums">
      <p id={textId}>
        {words < goal ? `${words.toLocaleString('en-US')} of ${whole}` : `Goal reached: ${whole}`}
      </p>
      <progress
        aria-labelledby={textId}
        className="h-1.5 w-32 appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-lamp [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-lamp"
        value={Math.min(words, goal)}
        max={goal}
      />
    </div>
  )
}

const counts = new WeakMap<RoomPassage, number>()

/** The server counts the words of folded passages. An erased passage has none. */
function countOf(passage: RoomPassage): number {
  if (passage.isErased) return 0
  const count = counts.get(passage) ?? passage.words ?? wordsOf(passage.content).length
  counts.set(passage, count)
  return count
}

/** The words of passages, which are not counted any more once there are enough of them. */
function wordsUpTo(atMost: number, passages: readonly RoomPassage[]): number {
  let words = 0
  for (const passage of passages) if ((words += countOf(passage)) >= atMost) break
  return words
}

/** Reads the passages before a position until there are so many words. */
async function readWordsBefore(
  roomId: string,
  position: number,
  { atMost, signal }: { atMost: number; signal: AbortSignal },
): Promise<number> {
  let words = 0
  for (let before: string | null = String(position); before !== null && words < atMost;) {
    const sent = { params: { id: roomId }, query: { before }, signal }
    const page: { items: RoomPassage[]; nextBefore: string | null } = await sendForPage(listPassages, sent)
    words += wordsUpTo(atMost - words, page.items)
    before = page.nextBefore
  }
  return words
}
