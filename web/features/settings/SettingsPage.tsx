import { useSession } from '#web/features/account/index.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Appearance } from './Appearance.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { Feedback } from './Feedback.tsx'
import { Premium } from './Premium.tsx'
import { Privacy } from './Privacy.tsx'
import { ReadabilityCalculator } from './ReadabilityCalculator.tsx'

export function SettingsPage() {
  usePageTitle('Settings')
  const { state } = useSession()
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-6">
      <h1 className="text-2xl">Settings</h1>
      <Appearance />
      {state === 'registered' && <Privacy />}
      <ReadabilityCalculator />
      <Premium />
      <Feedback />
      <DeleteAccount />
      <p className="text-sm text-ink-soft">Version 1.0.0</p>
    </div>
  )
}
