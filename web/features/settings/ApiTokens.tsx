import { KeyRound } from 'lucide-react'
import { useRef, useState } from 'react'
import {
  type ApiToken,
  endApiToken,
  listApiTokens,
  type NewApiToken,
} from '#contract/account/tokens/endpoints.ts'
import { tokensMax } from '#contract/account/tokens/rules.ts'
import { tokenScopes } from '#contract/account/tokens/scopes.ts'
import { sentenceOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { longDate, OwnTime } from '#web/lib/Time.tsx'
import { useConfirm } from '#web/ui/alerts.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { CopyLink } from '#web/ui/CopyLink.tsx'
import { NotReady, Outdated } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { NewTokenForm } from './NewTokenForm.tsx'

/** The tokens by which programs of the person use the API. The secret of a token is shown once. */
export function ApiTokens() {
  const tokens = useEndpoint(listApiTokens, { staleTime: 0 })
  const heading = useRef<HTMLHeadingElement>(null)
  const [isMaking, setIsMaking] = useState(false)
  const [made, setMade] = useState<NewApiToken | null>(null)
  const isFull = (tokens.data?.length ?? 0) >= tokensMax

  const show = (token: NewApiToken) => {
    setMade(token)
    setIsMaking(false)
  }
  const forget = (id: string) => {
    if (id === made?.id) setMade(null)
    // The button that had the focus goes with its row.
    heading.current?.focus()
  }
  return (
    <Card as="section" aria-labelledby="api-tokens" className="flex flex-col gap-4 p-6">
      <div>
        <h2 ref={heading} tabIndex={-1} id="api-tokens" className="text-xl outline-none">
          API tokens
        </h2>
        <p className="mt-2 text-sm text-ink-soft">
          With a token a program of yours uses Z!mmer as you, for what you choose and no longer than you
          choose. It can never change your passcode, your settings or your account. Give a token only to
          people you trust. A new passcode ends all tokens.
        </p>
      </div>
      {made !== null && (
        <div className="flex flex-col gap-2 rounded-lg border border-line bg-sunk p-3">
          <CopyLink label={`Your token "${made.name}"`} link={made.token} what="token" />
        </div>
      )}
      <NotReady of={tokens} what="Your tokens" waiting={<Skeleton className="h-16 w-full" />} />
      <Outdated of={tokens} what="The list" />
      <ul className="flex flex-col divide-y divide-line empty:hidden">
        {tokens.data?.map((token) => (
          <TokenRow key={token.id} token={token} onEnded={() => forget(token.id)} />
        ))}
      </ul>
      {isMaking && <NewTokenForm onMade={show} onCancel={() => setIsMaking(false)} />}
      {!isMaking && tokens.status === 'ready' && !isFull && (
        <Button
          variant="quiet"
          className="self-start"
          onClick={() => {
            setMade(null)
            setIsMaking(true)
          }}
        >
          Make a token
        </Button>
      )}
      {isFull && (
        <p className="text-sm text-ink-soft">
          You have {tokensMax} tokens, which is the most. End one to make another.
        </p>
      )}
    </Card>
  )
}

function TokenRow({ token, onEnded }: { token: ApiToken; onEnded: () => void }) {
  const { id, name, scopes, createdAt, expiresAt, isExpired, lastUsedAt } = token
  const ending = useAction(endApiToken, { refreshes: [listApiTokens], doneBy: 'ApiTokenNotFound' })
  const confirm = useConfirm()
  const toast = useToast()

  const end = async () => {
    const text = `A program that uses "${name}" is refused at once.`
    if (!isExpired && !(await confirm({ text, verb: 'End token', danger: true }))) return
    const ended = await ending.attempt({ params: { id } }, (error) =>
      toast({
        title: sentenceOf(error, 'The token could not be ended. Please try again.'),
        tone: 'destructive',
      }),
    )
    if (ended === undefined) return
    toast({ title: isExpired ? 'The token is removed.' : 'The token has ended.' })
    onEnded()
  }
  return (
    <li className="flex items-start gap-3 py-3">
      <KeyRound aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-soft" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold wrap-anywhere">
          {name}
          {isExpired && <Badge>Expired</Badge>}
        </p>
        <ul className="mt-1 flex list-disc flex-col ps-4 text-sm text-ink-soft">
          {scopes.map((scope) => (
            <li key={scope}>{tokenScopes[scope]}</li>
          ))}
        </ul>
        <p className="mt-1 text-sm text-ink-soft">
          Made <OwnDate at={createdAt} />, {isExpired ? 'ended' : 'ends'} <OwnDate at={expiresAt} />
        </p>
        <p className="text-sm text-ink-soft">
          {lastUsedAt === null ? (
            'Never used'
          ) : (
            <>
              Last used <OwnTime at={lastUsedAt} />
            </>
          )}
        </p>
      </div>
      <Button variant="quiet" busy={ending.status === 'running'} onClick={() => void end()}>
        {isExpired ? 'Remove' : 'End'}
        <span className="sr-only">the token {name}</span>
      </Button>
    </li>
  )
}

/** As `OwnTime`, but the day alone. In another time zone a token could seem to be used on a day before it was made. */
const OwnDate = ({ at }: { at: string }) => <time dateTime={at}>{longDate(at)}</time>
