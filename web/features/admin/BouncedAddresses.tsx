import { useRef } from 'react'
import { listBouncedAddresses } from '#contract/mails/endpoints.ts'
import type { BounceKind } from '#contract/mails/mail.ts'
import { usePages } from '#web/lib/pages.ts'
import { Time } from '#web/lib/Time.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ListNotReady } from '#web/ui/ListNotReady.tsx'
import { Outdated } from '#web/ui/NotReady.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'

/** The addresses from which mails came back. An instance whose relay reports none shows nothing. */
export function BouncedAddresses() {
  const addresses = usePages(listBouncedAddresses, { limit: '50' })
  const list = useRef<HTMLUListElement>(null)
  if (addresses.status === 'loading') return null
  if (addresses.status === 'failed')
    return <ListNotReady of={addresses} what="The addresses without mails" count={1} each="h-20" />
  if (addresses.data.items.length === 0) return null
  return (
    <section aria-label="Addresses without mails" className="mt-4 flex flex-col gap-3">
      <h2 className="text-xl">Addresses without mails</h2>
      <Outdated of={addresses} what="The addresses without mails" />
      <p className="max-w-prose text-sm text-ink-soft">
        These addresses get a link that their person asks for, and nothing else, until the person confirms the
        address again in the settings.
      </p>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Addresses without mails"
        className="flex flex-col gap-3 outline-none"
      >
        {addresses.data.items.map(({ userId, address, kind, reason, at }) => (
          <Card as="li" key={userId} className="flex min-w-0 flex-col gap-1">
            <p className="font-semibold wrap-anywhere">{address}</p>
            <p className="text-sm">
              {kindNames[kind]} <Time at={at} />
            </p>
            <p dir="auto" className="text-sm wrap-anywhere text-bad empty:hidden">
              {reason}
            </p>
          </Card>
        ))}
      </ul>
      <ShowMore of={addresses.data} list={list} />
    </section>
  )
}

const kindNames: Record<BounceKind, string> = {
  permanent: 'Mails came back on',
  complaint: 'Reported as unwanted on',
}
