import { Route, Switch, useSearch } from 'wouter'
import { expectsSession, useSession } from '#web/features/account/index.ts'
import { useIsOverFeed } from '#web/features/posts/index.ts'
import { useInterval } from '#web/lib/interval.ts'
import { isBrowsing } from '#web/lib/session-keys.ts'
import { registerPage, setOtherPages } from '#web/shell/preload.ts'
import { failedPage } from '#web/shell/failed-page.tsx'
import { part } from '#web/ui/part.tsx'

/** The onboarding page, shown to visitors without a session. */
export const OnboardingPage = part(
  async () => (await import('#web/features/onboarding/OnboardingPage.tsx')).OnboardingPage,
  failedPage,
  null,
)
const FeedPage = part(
  async () => (await import('#web/features/feed/FeedPage.tsx')).FeedPage,
  failedPage,
  null,
)
const ArticlePage = part(
  async () => (await import('#web/features/feed/ArticlePage.tsx')).ArticlePage,
  failedPage,
  null,
)
const OtherPages = part(async () => (await import('#web/other-pages.tsx')).OtherPages, failedPage, null)
setOtherPages(OtherPages.preload)
registerPage('/dashboard', FeedPage.preload)
// `/theme.js` has requested the files of these two addresses already, by the same rules.
registerPage('/posts/:id', ArticlePage.preload)
/** Whether the browser had a sign of a session when the page was opened. */
const wasExpected = expectsSession()
registerPage('/', wasExpected || isBrowsing() ? FeedPage.preload : OnboardingPage.preload)

const SignedIn = part(async () => (await import('#web/signed-in.tsx')).SignedIn, failedSignedIn)
const tryAgainMs = 30_000

/** What works for the signed-in person, whatever page is open. Also after the end of a session, whose texts leave this device. */
export function WorkOfPerson() {
  const { state } = useSession()
  return (state === 'registered' || (wasExpected && state === 'none')) && <SignedIn />
}

/** Nobody has asked for it, so its failure is not shown. */
function failedSignedIn(tryAgain: () => void) {
  return <TryAgainLater onTryAgain={tryAgain} />
}

function TryAgainLater({ onTryAgain }: { onTryAgain: () => void }) {
  useInterval(tryAgainMs, onTryAgain)
  return null
}

/** Every page inside the frame. */
export function Pages() {
  return (
    <Switch>
      <Route path="/" component={Dashboard} />
      <Route path="/dashboard" component={Dashboard} />
      <Route path="/posts/:id" component={Dashboard} />
      <Route>
        <OtherPages />
      </Route>
    </Switch>
  )
}

/** The feed, also below an article that was opened from it, or the page of an article. */
function Dashboard({ params: { id } }: { params: { id?: string } }) {
  const tab = new URLSearchParams(useSearch()).get('tab')
  const isOverFeed = useIsOverFeed()
  if (id !== undefined && !isOverFeed) return <ArticlePage key={id} id={id} />
  if (id !== undefined || tab === null || tab === 'dashboard') return <FeedPage articleId={id} />
  return <OtherPages />
}
