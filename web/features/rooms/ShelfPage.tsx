import { usePageTitle } from '#web/lib/page-title.ts'
import { FinishedStories } from './FinishedStories.tsx'

/** The shelf on a page of its own, for everybody. */
export function ShelfPage() {
  usePageTitle('Finished stories')
  return <FinishedStories isPage />
}
