import { SignInNotice, useSession } from '#web/features/account/index.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { BeingBuilt } from './BeingBuilt.tsx'

/** A page that is being built and will need an account: visitors and guests see a sign-in notice. */
export function ForPeople({ title }: { title: string }) {
  usePageTitle(title)
  const { state } = useSession()
  if (state === 'unknown') return null
  if (state === 'registered') return <BeingBuilt title={title} />
  return (
    <section aria-labelledby="page-name">
      <h1 id="page-name" className="text-2xl">
        {title}
      </h1>
      <SignInNotice text={`Sign in to see your ${title.toLowerCase()}.`} />
    </section>
  )
}
