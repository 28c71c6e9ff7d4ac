import { useEffect, useRef, useState } from 'react'
import { useSession } from '#web/features/account/index.ts'
import { rememberGuest } from '#web/lib/guest-days.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { useAlert } from '#web/ui/alerts.tsx'
import { cx } from '#web/ui/cx.ts'
import { Wordmark } from '#web/ui/Wordmark.tsx'
import { AboutUs } from './AboutUs.tsx'
import { AnalysisScreen } from './AnalysisScreen.tsx'
import { saidByServer, useRegistration } from './api.ts'
import { type Draft, keepDraft, readDraft } from './draft.ts'
import { completeEntry, openDashboard } from './entering.ts'
import { Lamp } from './Lamp.tsx'
import { AccountStep, PasscodeStep, SampleStep } from './steps.tsx'

const titles = ['About us', 'Create your account', 'Almost done', 'AI Analysis']
const nextStepAfterMs = 1500

/** The door: four short pages, of which the first is enough for those who have a key. */
export function OnboardingPage() {
  const [draft, setDraft] = useState(readDraft)
  const [passcode, setPasscode] = useState('')
  const [isAnalysing, setIsAnalysing] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const registration = useRegistration()
  const { state } = useSession()
  const alert = useAlert()
  const { page, ...typed } = draft
  const title = titles[page - 1]!
  usePageTitle(title)
  useEffect(() => keepDraft(draft), [draft])

  const change = (part: Partial<Draft>) => setDraft((known) => ({ ...known, ...part }))
  // What was pressed is about to go: the heading holds the focus unless the new page takes it.
  const holdFocus = () => heading.current?.focus()
  const turnTo = (number: number) => {
    change({ page: number })
    holdFocus()
  }
  const turning = { onBack: () => turnTo(page - 1), onNext: () => turnTo(page + 1) }
  const analyse = () => {
    setIsAnalysing(true)
    holdFocus()
  }
  const join = async () => {
    try {
      const user = await registration.mutateAsync({ ...typed, passcode })
      if (state === 'guest') rememberGuest(user.id)
      setTimeout(() => {
        completeEntry(user)
        openDashboard()
      }, nextStepAfterMs)
    } catch (error) {
      console.error('Registration failed', error)
      setIsAnalysing(false)
      await alert(saidByServer(error) ?? 'Registration failed. Please check your information and try again.')
    }
  }
  return (
    <div className="lamplight flex min-h-dvh flex-col items-center px-4 pb-10">
      <header className="mb-8 flex max-w-xl flex-col items-center text-center">
        <Lamp isBreathing={isAnalysing} />
        <Wordmark className="text-3xl" />
        <p className="mt-2 font-serif text-lg text-balance text-ink-soft">
          A house of rooms for people who write, with the lamp left on.
        </p>
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
          <Progress page={page} />
        </div>
        <div role="status">{isAnalysing && <AnalysisScreen onDone={() => void join()} />}</div>
        {!isAnalysing && page === 1 && <AboutUs onNext={turning.onNext} />}
        {!isAnalysing && page === 2 && <AccountStep {...turning} draft={draft} onChange={change} />}
        {!isAnalysing && page === 3 && (
          <PasscodeStep {...turning} passcode={passcode} onChange={setPasscode} />
        )}
        {!isAnalysing && page === 4 && (
          <SampleStep {...turning} onNext={analyse} draft={draft} onChange={change} />
        )}
      </main>
    </div>
  )
}

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
