import { useEffect, useRef, useState } from 'react'
import { login, registerByOnboarding } from '#contract/account/endpoints.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { RequestError, send } from '#web/lib/request.ts'
import { useAlert } from '#web/ui/alerts.tsx'
import { cx } from '#web/ui/cx.ts'
import { Wordmark } from '#web/ui/Wordmark.tsx'
import { AboutUs } from './AboutUs.tsx'
import { AnalysisScreen } from './AnalysisScreen.tsx'
import { type Draft, keepDraft, readDraft } from './draft.ts'
import { enter } from './entering.ts'
import { AccountStep, PasscodeStep, SampleStep } from './steps.tsx'

const titles = ['About us', 'Create your account', 'Almost done', 'AI Analysis']
const lastPage = titles.length
const nextStepMs = 1500
const failed = 'Registration failed. Please check your information and try again.'

/** The door: four short pages, of which the first one is enough for those who have a key. */
export function OnboardingPage() {
  const [draft, setDraft] = useState(readDraft)
  const [passcode, setPasscode] = useState('')
  const [isAnalysing, setIsAnalysing] = useState(false)
  const hasTried = useRef(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const alert = useAlert()
  const { page } = draft
  usePageTitle(titles[page - 1]!)

  useEffect(() => keepDraft(draft), [draft])

  const change = (part: Partial<Draft>) => setDraft((known) => ({ ...known, ...part }))
  const turnTo = (number: number) => {
    change({ page: number })
    heading.current?.focus()
  }
  const step = { onBack: () => turnTo(page - 1), onNext: () => turnTo(page + 1) }

  const join = async () => {
    try {
      const user = await registered(draft, passcode, hasTried.current)
      setTimeout(() => enter(user), nextStepMs)
    } catch (error) {
      console.error('Registration failed', error)
      // An answer that never came may still have registered the person.
      hasTried.current = !(error instanceof RequestError)
      setIsAnalysing(false)
      await alert((error instanceof RequestError && error.error) || failed)
    }
  }
  return (
    <div className="lamplight grid min-h-dvh place-items-center px-4 py-8">
      <main className="w-full max-w-2xl rounded-lg border border-line bg-surface p-6 shadow-float sm:p-10">
        <header className="mb-8 flex items-baseline justify-between gap-4">
          <Wordmark className="text-3xl" />
          <Progress page={page} />
        </header>
        <h1 ref={heading} tabIndex={-1} className="mb-6 text-2xl outline-none">
          {titles[page - 1]}
        </h1>
        {isAnalysing ? (
          <AnalysisScreen onDone={() => void join()} />
        ) : (
          <>
            {page === 1 && <AboutUs onNext={step.onNext} />}
            {page === 2 && <AccountStep draft={draft} onChange={change} {...step} />}
            {page === 3 && <PasscodeStep passcode={passcode} onChange={setPasscode} {...step} />}
            {page === lastPage && (
              <SampleStep draft={draft} onChange={change} {...step} onNext={() => setIsAnalysing(true)} />
            )}
          </>
        )}
      </main>
    </div>
  )
}

/** Registers; when an earlier try may have succeeded unheard, a taken address is first tried as one's own. */
async function registered({ name, email, writingSample }: Draft, passcode: string, hasTried: boolean) {
  try {
    const { user } = await send(registerByOnboarding, { input: { name, email, passcode, writingSample } })
    return user
  } catch (error) {
    const isTaken = error instanceof RequestError && error.code === 'EmailTaken'
    if (!isTaken || !hasTried) throw error
    return await send(login, { input: { email, password: passcode } }).catch(() => {
      throw error
    })
  }
}

function Progress({ page }: { page: number }) {
  return (
    <p className="flex items-center gap-1.5">
      <span className="sr-only">
        Page {page} of {lastPage}
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
