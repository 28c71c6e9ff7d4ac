import { ArrowLeft } from 'lucide-react'
import { Link } from 'wouter'
import { getInstance } from '#contract/instance/endpoints.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { usePageTitle } from '#web/lib/page-title.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { Wordmark } from '#web/ui/Wordmark.tsx'

export function AboutPage() {
  usePageTitle('About')
  const { supportEmail, instance } = useAppConfig()
  const { name, description, imprint } =
    useEndpoint(getInstance, { enabled: instance !== undefined }).data ?? {}
  return (
    <article className="flex max-w-reading flex-col gap-6">
      <Link href="/dashboard" className={buttonClass('quiet', 'w-fit')}>
        <ArrowLeft aria-hidden className="size-4" />
        Back
      </Link>
      <h1>
        <Wordmark className="text-3xl" />
      </h1>
      {name && (
        <h2 dir="auto" className="text-2xl">
          {name}
        </h2>
      )}
      {description && (
        <p dir="auto" className="reading">
          {description}
        </p>
      )}
      <p className="reading">
        Z!mmer is a home for people who write: a feed of posts by day, a private diary, a calendar with notes,
        and timed rooms in which a group writes one story together.
      </p>
      <p className="reading">
        It is free software that you can run yourself. What you write is yours, and what is private stays
        private.
      </p>
      {imprint && (
        <section aria-label="Imprint" className="flex flex-col gap-2">
          <h2 className="text-lg">Imprint</h2>
          <p dir="auto" className="whitespace-pre-line">
            {imprint}
          </p>
        </section>
      )}
      <p className="reading">
        <Link href="/privacy" className={buttonClass('link')}>
          What is done with texts
        </Link>
      </p>
      <p className="text-sm text-ink-soft">
        Version 1.0.0 · Questions?{' '}
        <a className="text-lamp underline underline-offset-4" href={`mailto:${supportEmail}`}>
          {supportEmail}
        </a>
      </p>
    </article>
  )
}
