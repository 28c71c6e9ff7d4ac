import { useEffect, useEffectEvent, useState } from 'react'
import { cannedComments } from './comments.ts'

const analysisMs = 3000
const commentMs = 2000

/** Shows a kind sentence after a pause, and then calls `onDone`. No text is analysed or sent. */
export function AnalysisScreen({ onDone }: { onDone: () => void }) {
  const [comment, setComment] = useState<string>()
  const finish = useEffectEvent(onDone)
  useEffect(() => {
    const show = setTimeout(() => {
      setComment(cannedComments[Math.floor(Math.random() * cannedComments.length)])
    }, analysisMs)
    const end = setTimeout(() => finish(), analysisMs + commentMs)
    return () => {
      clearTimeout(show)
      clearTimeout(end)
    }
  }, [])
  return (
    <div className="grid min-h-64 place-content-center text-center">
      {comment === undefined ? (
        <p className="text-ink-soft">One moment …</p>
      ) : (
        <p key={comment} className="max-w-reading animate-appear font-serif text-xl text-balance">
          {comment}
        </p>
      )}
    </div>
  )
}
