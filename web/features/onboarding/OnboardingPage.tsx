import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { AppConfig } from '#contract/app/endpoints.ts'
import { invitationPath } from '#contract/invitations/path.ts'
import { useSession } from '#web/features/account/index.ts'
import { rememberGuest } from '#web/features/diary/index.ts'
import { Welcome } from '#web/features/instance/index.ts'
import { sentenceOf } from '#web/lib/api.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { useIsInBrowser } from '#web/lib/in-browser.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { useAlert } from '#web/ui/alerts.tsx'
import { cx } from '#web/ui/cx.ts'
import { failedLine, part } from '#web/ui/part.tsx'
import { Wordmark } from '#web/ui/Wordmark.tsx'
import { AboutUs } from './AboutUs.tsx'
import { AnalysisScreen } from './AnalysisScreen.tsx'
import { register } from './api.ts'
import { type Draft, emptyDraft, keepDraft, readDraft } from './draft.ts'
import { completeEntry, openFirstPage } from './entering.ts'
import { Lamp } from './Lamp.tsx'

const titles = ['About us', 'Create your account', 'Almost done', 'AI Analysis']
const nextStepAfterMs = 1500

/** The onboarding: four short pages. The first one is enough for a person who has an account. */
export function OnboardingPage() {
  const isInBrowser = useIsInBrowser()
  const [stored] = useState(readDraft)
  const [changed, setChanged] = useState<Draft>()
  const draft = changed ?? (isInBrowser ? stored : emptyDraft)
  const [passcode, setPasscode] = useState('')
  const [knownEmail, setKnownEmail] = useState<string>()
  const [isAnalysing, setIsAnalysing] = useState(false)
  const [isAsked, setIsAsked] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const { state } = useSession()
  const [path] = useLocation()
  const { instance, access } = useAppConfig()
  const alert = useAlert()
  const { page, ...typed } = draft
  const title = isAsked ? 'Your sign-up is sent' : titles[page - 1]!
  // The first page is the home page: its name is that of the product.
  usePageTitle(page === 1 ? '' : title)
  useEffect(() => keepDraft(draft), [draft])

  const change = (part: Partial<Draft>) => setChanged((known = draft) => ({ ...known, ...part }))
  // The pressed button is about to disappear: the heading takes the focus, unless the new page takes it.
  const holdFocus = () => heading.current?.focus()
  const openPage = (number: number, email?: string) => {
    change({ page: number })
    setKnownEmail(email)
    holdFocus()
  }
  const openNext = () => openPage(page + 1)
  const analyse = () => {
    setIsAnalysing(true)
    holdFocus()
  }
  const join = async () => {
    try {
      const filled = { ...typed, passcode, ...agreementOf(instance) }
      const user = access ? await signUp(access, filled) : await register(filled)
      if (!user) {
        setIsAnalysing(false)
        return setIsAsked(true)
      }
      if (state === 'guest') rememberGuest(user.id)
      setTimeout(() => {
        completeEntry(user)
        openFirstPage()
      }, nextStepAfterMs)
    } catch (error) {
      console.error('Registration failed', error)
      setIsAnalysing(false)
      await alert(sentenceOf(error, 'Registration failed. Please check your information and try again.'))
    }
  }
  return (
    <div className="lamplight flex min-h-dvh flex-col items-center px-4 pb-10">
      <header className="mb-8 flex max-w-xl flex-col items-center text-center">
        <Lamp isBreathing={isAnalysing} />
        <Wordmark className="text-3xl" />
        <p className="mt-2 font-serif text-lg text-balance text-ink-soft">
          A quiet place for people who write.
        </p>
        {instance && page === 1 && <Welcome />}
        {path === invitationPath && (
          <div className="mt-2 min-h-[1lh] text-lg">
            <InvitedBy />
          </div>
        )}
      </header>
      <main
        className={cx(
          'w-full rounded-lg border border-line bg-surface p-6 shadow-float sm:p-10',
          page === 1 ? 'max-w-2xl' : 'max-w-xl',
        )}
      >
        <div className="mb-6 flex items-center justify-between gap-4">
          <h1 id="onboarding-title" ref={heading} tabIndex={-1} className="text-2xl outline-none">
            {title}
          </h1>
          {!isAsked && <Progress page={page} />}
        </div>
        <div role="status">{isAnalysing && <AnalysisScreen onDone={() => void join()} />}</div>
        {!isAnalysing && page === 1 && (
          <AboutUs onNext={openNext} onNextNear={loadSteps} knownEmail={knownEmail} />
        )}
        {isAsked && <RequestSent />}
        {!isAnalysing && !isAsked && page > 1 && (
          <Steps
            page={page}
            draft={draft}
            onChange={change}
            passcode={passcode}
            onPasscodeChange={setPasscode}
            onBack={() => openPage(page - 1)}
            onNext={page === titles.length ? analyse : openNext}
            onSignIn={() => openPage(1, draft.email)}
          />
        )}
      </main>
    </div>
  )
}

// A person who has an account needs the first page alone. The schemas of the others are larger than the page.
const Steps = part(
  async () => (await import('./steps.tsx')).Steps,
  failedLine,
  () => <p className="text-ink-soft">Loading...</p>,
)
/** The last page says to what the person agrees. */
const agreementOf = (instance: AppConfig['instance']) =>
  instance?.pages.some((page) => page !== 'privacy') && { agrees: true }

const RequestSent = part(async () => (await import('./restricted.tsx')).RequestSent, failedLine)
/** A file that only a restricted instance needs. */
const signUp = async (...sent: Parameters<typeof import('./restricted.tsx').signUp>) =>
  (await import('./restricted.tsx')).signUp(...sent)
const InvitedBy = part(
  async () => (await import('#web/features/invitations/index.ts')).InvitedBy,
  () => null,
)
const loadSteps = () => void Steps.preload().catch(() => {})

function Progress({ page }: { page: number }) {
  return (
    <p className="flex shrink-0 items-center gap-1.5">
      <span className="sr-only">
        Page {page} of {titles.length}
      </span>
      {titles.map((title, i) => (
        <span
          key={title}
          aria-hidden
          className={cx('h-1.5 rounded-full', i + 1 === page ? 'w-6 bg-lamp' : 'w-1.5 bg-edge')}
        />
      ))}
    </p>
  )
}
