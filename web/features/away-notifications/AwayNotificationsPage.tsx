import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { AwayNotificationChoices } from '#contract/away-notifications/choices.ts'
import { changeChoicesOfLink, findAwayNotificationLink } from '#contract/away-notifications/endpoints.ts'
import type { OutputOf } from '#contract/endpoint.ts'
import { nullIfOver, useToken } from '#web/lib/address-token.ts'
import { readStateOf, sentenceOf, useAction } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { send } from '#web/lib/request.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { LinkSheet } from '#web/ui/LinkSheet.tsx'
import { NotReady } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { TitledCard } from '#web/ui/TitledCard.tsx'
import { ChoicesForm } from './ChoicesForm.tsx'
import { tellingSentence } from './telling-sentence.ts'

/** The page behind the links of away notifications, for which nobody has to sign in. */
export function AwayNotificationsPage() {
  usePageTitle('Notifications')
  const token = useToken()
  return token === '' ? <Over /> : <OfLink key={token} token={token} />
}

type FoundLink = OutputOf<typeof findAwayNotificationLink>

const keyOf = (token: string) => [findAwayNotificationLink.path, token]

function OfLink({ token }: { token: string }) {
  const query = useQuery({
    queryKey: keyOf(token),
    queryFn: ({ signal }): Promise<FoundLink | null> =>
      send(findAwayNotificationLink, { input: { token }, signal }).catch(nullIfOver),
    staleTime: 0,
    refetchOnWindowFocus: false,
    meta: { failure: 'Failed to load the choices of a link' },
  })
  const found = readStateOf(query)
  if (found.status !== 'ready')
    return <NotReady of={found} what="Your choices" waiting={<Skeleton className="h-80 w-full max-w-xl" />} />
  return found.data === null ? <Over /> : <Choices token={token} {...found.data} />
}

function Choices({ token, choices, mayChange }: FoundLink & { token: string }) {
  const client = useQueryClient()
  const change = useAction(changeChoicesOfLink, { failure: 'Failed to change the choices of a link' })
  const save = (changes: Partial<AwayNotificationChoices>) => change.attempt({ input: { token, changes } })
  const switchOff = async () => {
    const saved = await save({ byMail: false })
    if (saved) client.setQueryData<FoundLink>(keyOf(token), { choices: saved, mayChange })
  }
  return (
    <div className="flex w-full max-w-xl flex-col gap-8">
      {choices.byMail ? (
        <LinkSheet
          title="Choose which mails you get"
          action={
            <div className="flex flex-col items-start gap-3">
              <Button busy={change.status === 'running'} onClick={() => void switchOff()}>
                Switch all mails off
              </Button>
              <p role="alert" className="text-sm text-bad empty:hidden">
                {change.error !== null &&
                  sentenceOf(change.error, 'That did not work. Check the connection and try again.')}
              </p>
            </div>
          }
        >
          {mayChange
            ? 'One press ends all mails but those about the account itself. Or choose below.'
            : 'One press ends all mails but those about the account itself. The link in the text of a mail shows all choices.'}
        </LinkSheet>
      ) : (
        <LinkSheet title="All mails are off" isNews={change.status === 'idle'} action={<ToFeed />}>
          You only get mails about the account itself, such as a new passcode.
        </LinkSheet>
      )}
      {mayChange && (
        <TitledCard title="Notifications" className="flex flex-col gap-6 p-6">
          <p className="-mt-2 text-sm text-ink-soft">{tellingSentence(true)}</p>
          <ChoicesForm key={String(choices.byMail)} stored={choices} save={save} />
        </TitledCard>
      )}
    </div>
  )
}

const Over = () => (
  <LinkSheet title="This link is no longer good" action={<ToFeed />}>
    A link to the choices is good for 60 days. A newer mail has a new one, and the settings show them under
    “Notifications”.
  </LinkSheet>
)

const ToFeed = () => (
  <Link href="/dashboard" className={buttonClass('quiet')}>
    Go to the feed
  </Link>
)
