import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { roomsPath } from '#contract/rooms/paths.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'

/** Shown instead of a room that cannot be read, with a link to the list. */
export function WayBack({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <EmptyState
      text={text}
      drawing="door"
      action={
        <>
          {children}
          <Link href={roomsPath} className={buttonClass('quiet')}>
            ← Back
          </Link>
        </>
      }
    />
  )
}
