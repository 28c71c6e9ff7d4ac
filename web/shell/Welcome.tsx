import { usePageTitle } from '#web/lib/page-title.ts'
import { entries } from './entries.ts'
import { PageLink } from './PageLink.tsx'

/** For a tab that the house does not have. */
export function Welcome() {
  usePageTitle('Welcome')
  return (
    <section className="mx-auto max-w-reading py-12 text-center">
      <h1 className="text-2xl">Welcome to Z!mmer</h1>
      <ul className="mt-6 flex flex-wrap justify-center gap-4">
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
