import { type FormEvent, useState } from 'react'
import { adminPasswordMinLength } from '#contract/account/rules.ts'
import { createFirstAdmin } from '#contract/account/setup/endpoints.ts'
import { completeEntry, NewAccountFields, openDashboard } from '#web/features/onboarding/index.ts'
import { useToken } from '#web/lib/address-token.ts'
import { codeOf, sentenceOf, useAction } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { RequestError } from '#web/lib/request.ts'
import { Button } from '#web/ui/Button.tsx'
import { Drawing } from '#web/ui/Drawing.tsx'
import { TextField } from '#web/ui/TextField.tsx'

/** The page of an instance without an admin. The holder of the set-up code makes the first admin account. */
export function SetupPage() {
  usePageTitle('Set-up')
  const token = useToken()
  // A link with another code is another form.
  return <SetupForm key={token} codeOfLink={token} />
}

function SetupForm({ codeOfLink }: { codeOfLink: string }) {
  const [typed, setTyped] = useState({ code: codeOfLink, name: '', email: '', passcode: '' })
  const setup = useAction(createFirstAdmin, { retries: false, failure: 'Failed to make the first admin' })
  const { error } = setup
  const refused = error instanceof RequestError ? error.fields : {}
  const isCodeRefused = codeOf(error) === 'SetupRefused'
  const isElsewhere = error !== null && !isCodeRefused && Object.keys(refused).length === 0

  const fieldOf = (name: keyof typeof typed) => ({
    value: typed[name],
    error: refused[name],
    onChange: ({ target }: { target: { value: string } }) =>
      setTyped((before) => ({ ...before, [name]: target.value })),
  })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const user = await setup.attempt({ input: typed })
    if (!user) return
    completeEntry(user)
    openDashboard()
  }
  return (
    <div className="flex w-full max-w-xl flex-col items-start gap-5">
      <Drawing of="door" />
      <h1 className="text-2xl text-balance">Set up this instance</h1>
      <p className="max-w-prose font-serif text-lg text-balance text-ink-soft">
        Nobody is an admin here yet. With the code that the server has printed, make the first admin account.
      </p>
      <form
        aria-label="Set-up"
        noValidate
        className="flex w-full max-w-sm flex-col gap-4"
        onSubmit={(event) => void submit(event)}
      >
        <TextField
          {...fieldOf('code')}
          label="Set-up code"
          hint="16 letters and digits. Each start prints another one."
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={isCodeRefused ? sentenceOf(error, failed) : refused['code']}
        />
        <NewAccountFields
          fieldOf={fieldOf}
          passcodeHint={`At least ${adminPasswordMinLength} characters, and not a common one.`}
        >
          <TextField
            {...fieldOf('email')}
            label="Email"
            hint="You'll sign in with this."
            type="email"
            autoComplete="username"
          />
        </NewAccountFields>
        <p role="alert" className="text-sm font-medium text-bad empty:hidden">
          {isElsewhere && sentenceOf(error, failed)}
        </p>
        <Button type="submit" className="self-start" busy={setup.status === 'running'}>
          Make the account
        </Button>
      </form>
    </div>
  )
}

const failed = 'The account could not be made. Check the connection and try again.'
