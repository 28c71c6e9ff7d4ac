import { type ReactNode, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { useSession } from '#web/features/account/index.ts'
import { Boundary } from '#web/ui/Boundary.tsx'
import { BottomBar } from './BottomBar.tsx'
import { failedPage } from './failed-page.tsx'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import { Waiting } from './overlay.tsx'
import { Shortcuts } from './Shortcuts.tsx'
import { Sidebar } from './Sidebar.tsx'

/** The frame around every page; it stays while pages change in its middle. */
export function Frame({ children }: { children: ReactNode }) {
  const { isAdmin } = useSession()
  const [path] = useLocation()
  const [firstPath] = useState(path)
  const waiting = <Waiting text={path === firstPath ? 'Loading Z!mmer...' : 'Loading...'} />
  return (
    <>
      <a
        href="#main"
        className="sr-only z-50 bg-lamp p-3 text-on-lamp focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:rounded-md"
      >
        Skip to the page
      </a>
      <div className="flex min-h-dvh pb-(--bottom-bar,3rem)">
        <div className="flex min-w-0 flex-1 flex-col">
          <Header />
          <main id="main" tabIndex={-1} className="flex-1 px-4 py-6 outline-none sm:px-6">
            <Boundary place={path} failed={failedPage}>
              <Suspense fallback={waiting}>{children}</Suspense>
            </Boundary>
          </main>
          <Footer />
        </div>
        <Sidebar isAdmin={isAdmin} />
      </div>
      <BottomBar />
      <Shortcuts />
    </>
  )
}
