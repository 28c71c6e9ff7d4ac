import type { ReactNode } from 'react'
import { usePageTitle } from '#web/lib/page-title.ts'
import { failedPage as failedInPlace } from '#web/ui/part.tsx'

/** For a page with an address of its own: the title of the page before it is cleared. */
export const failedPage = (tryAgain: () => void, kept: ReactNode): ReactNode => (
  <Untitled>{failedInPlace(tryAgain, kept)}</Untitled>
)

function Untitled({ children }: { children: ReactNode }) {
  'use no memo'
  usePageTitle('')
  return children
}
