import { usePageTitle } from '#web/lib/page-title.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { Wordmark } from '#web/ui/Wordmark.tsx'
import { PageLink } from './PageLink.tsx'

export function NotFound() {
  usePageTitle('404 Page Not Found')
  return (
    <main className="grid min-h-dvh place-content-center gap-6 px-4 text-center">
      <Wordmark className="text-2xl" />
      <h1 className="text-3xl">404 Page Not Found</h1>
      <p className="text-ink-soft">This page does not exist, or it has moved.</p>
      <p>
        <PageLink href="/dashboard" className={buttonClass('primary')}>
          Back to the feed
        </PageLink>
      </p>
    </main>
  )
}
