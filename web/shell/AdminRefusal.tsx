import { SignInNotice } from '#web/features/account/index.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { PageLink } from './PageLink.tsx'

export function AdminRefusal({ isVisitor }: { isVisitor: boolean }) {
  usePageTitle('Admins only')
  const wayBack = (
    <PageLink href="/dashboard" className={buttonClass('quiet')}>
      Back to the feed
    </PageLink>
  )
  return (
    <section aria-labelledby="page-name">
      <h1 id="page-name" className="text-2xl">
        Admins only
      </h1>
      {isVisitor ? (
        <>
          <SignInNotice text="Sign in as an admin to open this page." />
          {wayBack}
        </>
      ) : (
        <EmptyState text="This page is for admins." drawing="door" action={wayBack} />
      )}
    </section>
  )
}
