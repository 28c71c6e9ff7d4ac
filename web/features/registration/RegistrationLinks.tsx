import { Link } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import {
  createRegistrationLink,
  endRegistrationLink,
  listRegistrationLinks,
  type NewRegistrationLink,
  type RegistrationLink,
} from '#contract/account/registration/endpoints.ts'
import { linkUsesMax, registrationLink } from '#contract/account/registration/rules.ts'
import { sentenceOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { timeOfDay } from '#web/lib/locale.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { CopyLink } from '#web/ui/CopyLink.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { useToast } from '#web/ui/toasts.tsx'

const refreshes = [listRegistrationLinks]
const first = { label: '', maxUses: '1', days: 7 }

/** Makes links by which people sign up, and lists those that have not ended. A link is shown once: only its digest is stored. */
export function RegistrationLinks({ isNeeded }: { isNeeded: boolean }) {
  const links = useEndpoint(listRegistrationLinks, { staleTime: 0 })
  // Not retried: each attempt makes another link.
  const creating = useAction(createRegistrationLink, { retries: false, refreshes })
  const [typed, setTyped] = useState(first)
  const [made, setMade] = useState<NewRegistrationLink | null>(null)
  const title = useRef<HTMLHeadingElement>(null)
  if (!isNeeded && !links.data?.length) return null

  const type = (part: Partial<typeof first>) => setTyped({ ...typed, ...part })
  const create = async (event: FormEvent) => {
    event.preventDefault()
    const input = { label: typed.label, maxUses: Number(typed.maxUses), days: typed.days }
    const link = await creating.attempt({ input })
    if (!link) return
    setMade(link)
    setTyped(first)
  }
  return (
    <Card as="section" aria-label="Links to sign up" className="flex flex-col gap-5">
      <h2 ref={title} tabIndex={-1} className="text-xl outline-none">
        Links to sign up
      </h2>
      <p className="text-sm text-ink-soft">
        Whoever has the link signs up by it, as many people as you choose, until it ends.
        {!isNeeded && ' The registration does not need them at the moment.'}
      </p>
      {made !== null && (
        <div className="rounded-lg border border-line bg-sunk p-3">
          <CopyLink key={made.id} label="New link" link={registrationLink(location.origin, made.token)} />
        </div>
      )}
      <form className="flex flex-wrap items-end gap-3" noValidate onSubmit={(event) => void create(event)}>
        <div className="min-w-40 flex-1">
          <TextField
            label="For whom"
            maxLength={60}
            autoComplete="off"
            dir="auto"
            value={typed.label}
            onChange={(event) => type({ label: event.target.value })}
          />
        </div>
        <div className="w-24">
          <TextField
            label="People"
            type="number"
            min={1}
            max={linkUsesMax}
            value={typed.maxUses}
            onChange={(event) => type({ maxUses: event.target.value })}
          />
        </div>
        <SelectField
          label="Good for"
          options={[
            { value: 1, label: '1 day' },
            { value: 7, label: '7 days' },
            { value: 30, label: '30 days' },
            { value: 365, label: 'a year' },
          ]}
          value={typed.days}
          onChange={(days) => type({ days })}
        />
        <Button type="submit" variant="quiet" busy={creating.status === 'running'}>
          <Link aria-hidden className="size-4" />
          Make a link
        </Button>
      </form>
      <p role="alert" className="text-sm font-medium text-bad empty:hidden">
        {creating.error &&
          sentenceOf(creating.error, 'The link could not be made. Check the connection and try again.')}
      </p>
      {links.status === 'failed' && (
        <QuietLine text="The links could not be loaded." onTryAgain={links.refetch} />
      )}
      <ul aria-label="Open links" className="flex flex-col divide-y divide-line empty:hidden">
        {links.data?.map((link) => (
          <OpenLink key={link.id} link={link} onEnded={() => title.current?.focus()} />
        ))}
      </ul>
    </Card>
  )
}

function OpenLink({ link, onEnded }: { link: RegistrationLink; onEnded: () => void }) {
  const ending = useAction(endRegistrationLink, { refreshes, doneBy: 'RegistrationLinkNotFound' })
  const toast = useToast()
  const { id, label, uses, maxUses, createdAt, expiresAt } = link
  const day = { month: 'short', day: 'numeric' } as const
  const name = label || `the link made ${timeOfDay(createdAt, day)}`

  const end = async () => {
    const ended = await ending.attempt({ params: { id } }, () =>
      toast({ title: 'The link could not be ended. Please try again.', tone: 'destructive' }),
    )
    if (!ended) return
    toast({ title: 'The link has ended.' })
    // The button that had the focus is gone.
    onEnded()
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 py-1">
      <p className="min-w-40 flex-1 text-sm">
        <span dir="auto">{label || 'Without a name'}</span>
        <span className="block text-xs text-ink-soft">
          {uses} of {maxUses} signed up · good until {timeOfDay(expiresAt, day)}
        </span>
      </p>
      <Button
        variant="link"
        className="text-sm"
        busy={ending.status === 'running'}
        onClick={() => void end()}
      >
        End
        <span className="sr-only"> {name}</span>
      </Button>
    </li>
  )
}
