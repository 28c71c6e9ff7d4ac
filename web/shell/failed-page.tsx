import type { ReactNode } from 'react'
import { usePageTitle } from '#web/lib/page-title.ts'
import { failedPage as failedInPlace } from '#web/ui/part.tsx'

/** For a page with its own address: clears the title of the previous page. */
export const failedPage = (tryAgain: () => void, kept: ReactNode): ReactNode => (
  <Untitled>{failedInPlace(tryAgain, kept)}</Untitled>
)

function Untitled({ children }: { children: ReactNode }) {
  usePageTitle('')
  return children
}
