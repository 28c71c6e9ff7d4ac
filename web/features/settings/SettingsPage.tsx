import { useSession } from '#web/features/account/index.ts'
import { LiteraryMagazine } from '#web/features/magazine/index.ts'
import { TakenBackPosts } from '#web/features/own-posts/index.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Appearance } from './Appearance.tsx'
import { BlockedPeople } from './BlockedPeople.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { Feedback } from './Feedback.tsx'
import { Premium } from './Premium.tsx'
import { Privacy } from './Privacy.tsx'
import { ReadabilityCalculator } from './ReadabilityCalculator.tsx'
import { YourPage } from './YourPage.tsx'
import { YourPosts } from './YourPosts.tsx'

export function SettingsPage() {
  usePageTitle('Settings')
  const { state, user } = useSession()
  return (
    <div className="flex max-w-2xl flex-col gap-6">
      <h1 className="text-2xl">Settings</h1>
      <Appearance />
      {state === 'registered' && <YourPage userId={user.id} />}
      {user !== null && <YourPosts />}
      {state === 'registered' && <TakenBackPosts />}
      {state === 'registered' && <Privacy />}
      {state === 'registered' && <BlockedPeople />}
      <ReadabilityCalculator />
      <LiteraryMagazine />
      <Premium />
      <Feedback />
      <DeleteAccount />
      <p className="text-sm text-ink-soft">Version 1.0.0</p>
    </div>
  )
}
