import { usePageTitle } from '#web/lib/page-title.ts'
import { entries } from './entries.ts'
import { PageLink } from './PageLink.tsx'

/** Shown for a `?tab=` that names no tab. */
export function Welcome() {
  usePageTitle('Welcome')
  return (
    <section className="max-w-reading">
      <h1 className="text-2xl">Welcome to Z!mmer</h1>
      <ul className="mt-6 flex flex-wrap gap-4">
        {entries.map(({ label, href }) => (
          <li key={label}>
            <PageLink href={href} className="text-lamp underline underline-offset-4">
              {label}
            </PageLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
