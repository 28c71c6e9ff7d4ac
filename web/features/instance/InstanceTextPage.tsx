import type { OutputOf } from '#contract/endpoint.ts'
import { getInstancePage } from '#contract/instance/endpoints.ts'
import { type InstancePage, instancePageTitles } from '#contract/instance/pages.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { NotReady } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { TextWithHeadings } from './TextWithHeadings.tsx'

export const TermsPage = () => <InstanceTextPage page="terms" />
export const PrivacyPage = () => <InstanceTextPage page="privacy" />
export const RulesPage = () => <InstanceTextPage page="rules" />

function InstanceTextPage({ page }: { page: InstancePage }) {
  const title = instancePageTitles[page]
  usePageTitle(title)
  const found = useEndpoint(getInstancePage, { params: { page } })
  return (
    <article className="flex max-w-reading flex-col gap-6">
      <h1 className="text-3xl">{title}</h1>
      <NotReady of={found} what="This page" waiting={<Skeleton className="h-96" />} />
      {found.data && <Texts {...found.data} />}
    </article>
  )
}

function Texts({ content, textUse }: OutputOf<typeof getInstancePage>) {
  if (content === '' && textUse === undefined)
    return <EmptyState drawing="page" text="This page has no text" />
  return (
    <>
      {content !== '' && <TextWithHeadings text={content} />}
      {textUse && (
        <section aria-labelledby="text-use" className="reading flex flex-col gap-4">
          <h2 id="text-use" className="text-xl">
            What is done with texts
          </h2>
          {textUse.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <p className="text-sm text-ink-soft">
            The program writes this part itself, by what admins and the operator have switched on.
          </p>
        </section>
      )}
    </>
  )
}
