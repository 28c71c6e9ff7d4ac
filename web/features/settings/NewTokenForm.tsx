import { type FormEvent, useEffect, useRef, useState } from 'react'
import { createApiToken, listApiTokens, type NewApiToken } from '#contract/account/tokens/endpoints.ts'
import { tokenDays, tokenNameMax } from '#contract/account/tokens/rules.ts'
import { type TokenScope, tokenScopes } from '#contract/account/tokens/scopes.ts'
import { fits } from '#contract/text.ts'
import { SignInAgainDialog } from '#web/features/account/index.ts'
import { codeOf, sentenceOf, useAction } from '#web/lib/api.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import { TextField } from '#web/ui/TextField.tsx'

interface NewTokenFormProps {
  onMade: (token: NewApiToken) => void
  onCancel: () => void
}

const allScopes = Object.keys(tokenScopes) as TokenScope[]

/** Asks what a new token is called, what it may do and when it ends. The server wants a sign-in of the last 15 minutes. */
export function NewTokenForm({ onMade, onCancel }: NewTokenFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly TokenScope[]>([])
  const [days, setDays] = useState<number>(tokenDays.usual)
  const [isChecked, setIsChecked] = useState(false)
  const [isSigningIn, setIsSigningIn] = useState(false)
  // The answer is a secret that the server does not repeat.
  const creating = useAction(createApiToken, {
    refreshes: [listApiTokens],
    retries: false,
    onSuccess: onMade,
  })
  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  const nameError = nameErrorOf(name.trim())
  const scopeError = scopes.length === 0 ? 'Please choose what the token may do.' : undefined
  const isToSignIn = codeOf(creating.error) === 'SignInAgainForToken'

  const create = async () => {
    const input = { name: name.trim(), scopes: allScopes.filter((scope) => scopes.includes(scope)), days }
    await creating.attempt({ input }, (error) => setIsSigningIn(codeOf(error) === 'SignInAgainForToken'))
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setIsChecked(true)
    if (nameError === undefined && scopeError === undefined) await create()
  }
  const choose = (scope: TokenScope, isChosen: boolean) =>
    setScopes(isChosen ? [...scopes, scope] : scopes.filter((each) => each !== scope))
  return (
    <>
      <form ref={form} className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <TextField
          label="Name"
          hint="Such as the program that will use it."
          autoComplete="off"
          value={name}
          error={isChecked && nameError}
          onChange={(event) => setName(event.target.value)}
        />
        <fieldset className="min-w-0" aria-describedby="scope-error">
          <legend className="mb-2 text-sm font-medium">The token may</legend>
          <div className="flex flex-col gap-2">
            {allScopes.map((scope) => (
              <Checkbox
                key={scope}
                label={tokenScopes[scope]}
                checked={scopes.includes(scope)}
                onChange={(event) => choose(scope, event.target.checked)}
              />
            ))}
          </div>
          <p id="scope-error" role="alert" className="mt-1.5 text-xs font-medium text-bad empty:hidden">
            {isChecked && scopeError}
          </p>
        </fieldset>
        <SelectField
          label="It ends after"
          options={[
            { value: 7, label: '7 days' },
            { value: 30, label: '30 days' },
            { value: tokenDays.usual, label: `${tokenDays.usual} days` },
            { value: tokenDays.max, label: 'A year' },
          ]}
          value={days}
          onChange={setDays}
        />
        <p role="alert" className="text-sm font-medium text-bad empty:hidden">
          {creating.error !== null &&
            !isToSignIn &&
            sentenceOf(
              creating.error,
              'The token could not be made. Check the connection and the list, and try again.',
            )}
        </p>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={creating.status === 'running'}>
            Make token
          </Button>
          <Button variant="quiet" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </form>
      {isSigningIn && (
        <SignInAgainDialog onSignedIn={() => void create()} onClose={() => setIsSigningIn(false)} />
      )}
    </>
  )
}

function nameErrorOf(name: string): string | undefined {
  if (name === '') return 'Please give the token a name.'
  return fits(name, tokenNameMax) ? undefined : `Please write at most ${tokenNameMax} characters.`
}
