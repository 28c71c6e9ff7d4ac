import { memo, type ReactNode, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { Boundary } from '#web/ui/Boundary.tsx'
import { BottomBar } from './BottomBar.tsx'
import { failedPage } from './failed-page.tsx'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import { Waiting } from './overlay.tsx'
import { PageChange } from './PageChange.tsx'
import { Shortcuts } from './Shortcuts.tsx'
import { Sidebar } from './Sidebar.tsx'

/** The frame around every page; it stays while pages change in its middle, and is not rendered again for each address. */
export const Frame = memo(function Frame({ children }: { children: ReactNode }) {
  return (
    <>
      <a
        href="#main"
        className="sr-only z-50 bg-lamp p-3 text-on-lamp focus:not-sr-only focus:fixed focus:top-2 focus:inset-s-2 focus:rounded-md"
      >
        Skip to content
      </a>
      <div className="flex min-h-dvh pb-(--bottom-bar,3rem)">
        <div className="flex min-w-0 flex-1 flex-col">
          <Header />
          <main id="main" tabIndex={-1} className="flex-1 px-4 py-4 outline-none sm:px-6 sm:py-6">
            {/* All pages share this column, and so the left edge of their headings. */}
            <div className="mx-auto max-w-6xl">
              <Page>{children}</Page>
            </div>
          </main>
          <Footer />
        </div>
        <Sidebar />
      </div>
      <BottomBar />
      <Shortcuts />
    </>
  )
})

function Page({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const [firstPath] = useState(path)
  const waiting = (
    <div data-waiting>
      {path === firstPath ? (
        <Waiting text="Loading Z!mmer..." />
      ) : (
        // The frame stays usable: a person who waits can choose another page.
        <Waiting text="Loading..." isInFrame />
      )}
    </div>
  )
  return (
    <Boundary place={path} showFailure={failedPage}>
      <Suspense fallback={waiting}>
        {children}
        <PageChange />
      </Suspense>
    </Boundary>
  )
}
