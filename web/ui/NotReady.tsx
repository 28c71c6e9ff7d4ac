import type { ReactNode } from 'react'
import { FailedState } from './FailedState.tsx'
import { QuietLine } from './QuietLine.tsx'

interface Loadable {
  status: 'loading' | 'failed' | 'ready'
  refetchError?: Error | null
  refetch: () => void
}

interface NotReadyProps {
  of: Loadable
  /** Names the data at the start of a sentence, such as 'The users'. */
  what: string
  waiting: ReactNode
}

/** Stands in the place of data that are loading, or failed to load. */
export function NotReady({ of, what, waiting }: NotReadyProps) {
  if (of.status === 'loading') return waiting
  return (
    of.status === 'failed' && <FailedState text={`${what} could not be loaded.`} onTryAgain={of.refetch} />
  )
}

/** A notice that a later read has failed: the shown data may be out of date. */
export const Outdated = ({ of, what }: Omit<NotReadyProps, 'waiting'>) =>
  of.refetchError && <QuietLine text={`${what} could not be refreshed.`} onTryAgain={of.refetch} />
