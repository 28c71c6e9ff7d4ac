import { usePageTitle } from '#web/lib/page-title.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'

/** A tab whose content is on its way; nothing stands in for it. */
export function BeingBuilt({ title }: { title: string }) {
  usePageTitle(title)
  return (
    <section aria-labelledby="page-name">
      <h1 id="page-name" className="text-2xl">
        {title}
      </h1>
      <EmptyState text="This part is being built" drawing="lamp" />
    </section>
  )
}
