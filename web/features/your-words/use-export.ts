import { useEffect, useRef, useState } from 'react'
import type { ArchivePart } from '#contract/archive/parts.ts'
import { sentenceOf } from '#web/lib/api.ts'
import { todayHere } from '#web/lib/today.ts'
import { chooseTarget } from './choose-target.ts'
import type { Exporter } from './export-archive.ts'

type State =
  | { name: 'idle' }
  | {
      name: 'running'
      part: ArchivePart
      files: number
      /** How long the server asks to wait. */
      waitSeconds: number | null
      asksToSignIn: boolean
    }
  | { name: 'done'; files: number }
  | { name: 'failed'; reason: string }

type Running = Extract<State, { name: 'running' }>

/** The export of a person, which ends when the page is left. */
export function useExport(by: Exporter) {
  const [state, setState] = useState<State>({ name: 'idle' })
  const work = useRef<AbortController>(null)
  const answerSignIn = useRef<(isSignedIn: boolean) => void>(null)
  useEffect(() => () => work.current?.abort(), [])

  const cancel = () => {
    work.current?.abort()
    setState({ name: 'idle' })
  }

  const start = async () => {
    // First, because a browser asks where to save only right after a click.
    const target = await chooseTarget(`zimmer-${todayHere()}.zip`)
    if (target === undefined) return
    const { signal } = (work.current = new AbortController())
    const show = (shown: Partial<Running>) =>
      setState((last) =>
        signal.aborted || last.name !== 'running' ? last : ({ ...last, ...shown } satisfies Running),
      )
    setState({ name: 'running', part: 'Diary', files: 0, waitSeconds: null, asksToSignIn: false })
    try {
      const { exportArchive } = await import('./export-archive.ts')
      const files = await exportArchive({
        by,
        target,
        signal,
        onProgress: (part, count) => show({ part, files: count }),
        onWait: (waitSeconds) => show({ waitSeconds }),
        async signInAgain() {
          const { promise, resolve } = Promise.withResolvers<boolean>()
          answerSignIn.current = resolve
          show({ asksToSignIn: true })
          if (!(await promise)) cancel()
          show({ asksToSignIn: false })
        },
      })
      if (!signal.aborted) setState({ name: 'done', files })
    } catch (error) {
      if (signal.aborted) return
      console.error('Failed to export', error)
      setState({ name: 'failed', reason: `${sentenceOf(error, otherwise)} No file was saved.` })
    }
  }

  return {
    state,
    start,
    cancel,
    signedIn: () => answerSignIn.current?.(true),
    /** The dialog closes just before it calls `signedIn`, or without a sign-in: so wait for that call first. */
    signInClosed: () => queueMicrotask(() => answerSignIn.current?.(false)),
  }
}

const otherwise = 'The export failed. Check the connection and the space on this device, and try again.'
