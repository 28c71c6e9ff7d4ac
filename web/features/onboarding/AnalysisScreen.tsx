import { useEffect, useRef, useState } from 'react'
import { cannedComments } from './comments.ts'

const analysisMs = 3000
const commentMs = 2000

/** Waits, says something kind, and goes on. It reads nothing: the sample goes nowhere but into the registration. */
export function AnalysisScreen({ onDone }: { onDone: () => void }) {
  const [comment, setComment] = useState<string>()
  const done = useRef(onDone)
  useEffect(() => {
    done.current = onDone
  })
  useEffect(() => {
    const show = setTimeout(() => {
      setComment(cannedComments[Math.floor(Math.random() * cannedComments.length)])
    }, analysisMs)
    const end = setTimeout(() => done.current(), analysisMs + commentMs)
    return () => {
      clearTimeout(show)
      clearTimeout(end)
    }
  }, [])
  return (
    <div className="grid min-h-64 place-content-center text-center">
      {comment === undefined ? (
        <p className="text-ink-soft">A moment under the lamp …</p>
      ) : (
        <p key={comment} className="max-w-reading animate-appear font-serif text-xl text-balance">
          {comment}
        </p>
      )}
    </div>
  )
}
