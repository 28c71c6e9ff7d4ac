import { type FormEvent, useState } from 'react'
import { passwordLength } from '#contract/account/rules.ts'
import { registerByOpenid } from '#contract/openid/endpoints.ts'
import { openSignIn, useSession } from '#web/features/account/index.ts'
import { rememberGuest } from '#web/features/diary/index.ts'
import { Agreement } from '#web/features/instance/index.ts'
import {
  completeEntry,
  NewAccountFields,
  openDashboard,
  storedLinkToken,
} from '#web/features/onboarding/index.ts'
import { sentenceOf, useAction } from '#web/lib/api.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { RequestError } from '#web/lib/request.ts'
import { Button } from '#web/ui/Button.tsx'
import { LinkSheet } from '#web/ui/LinkSheet.tsx'

interface NewAccountProps {
  email: string
  /** The name at the provider; may be empty. */
  name: string
  providerName: string
}

/** Makes the account of a person whom the provider has identified, and who has none here. */
export function NewAccount({ email, name, providerName }: NewAccountProps) {
  const [typed, setTyped] = useState({ name, passcode: '' })
  const { state } = useSession()
  const { instance, access } = useAppConfig()
  const [registrationToken] = useState(() => storedLinkToken.read())
  const register = useAction(registerByOpenid, { retries: false, failure: 'Registration failed' })
  const { error } = register
  const refused = error instanceof RequestError ? error.fields : {}
  const isElsewhere = error !== null && refused['name'] === undefined && refused['passcode'] === undefined

  if (access?.registration === 'invitation' && registrationToken === null)
    return (
      <LinkSheet
        title="You have no account here"
        isNews
        action={<Button onClick={openSignIn}>To the sign-in</Button>}
      >
        People sign up here by an invitation link. If you have one, open it, and continue from there.
      </LinkSheet>
    )
  const fieldOf = (field: keyof typeof typed) => ({
    value: typed[field],
    error: refused[field],
    onChange: ({ target }: { target: { value: string } }) =>
      setTyped((before) => ({ ...before, [field]: target.value })),
  })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const agrees = instance?.pages.some((page) => page !== 'privacy')
    const user = await register.attempt({
      input: {
        ...typed,
        ...(agrees && { agrees }),
        ...(registrationToken !== null && { registrationToken }),
      },
    })
    if (!user) return
    storedLinkToken.remove()
    if (state === 'guest') rememberGuest(user.id)
    completeEntry(user)
    openDashboard()
  }
  return (
    <LinkSheet
      title="Make your account"
      isNews
      action={
        <form
          aria-label="Make your account"
          noValidate
          className="flex w-full max-w-sm flex-col gap-4"
          onSubmit={(event) => void submit(event)}
        >
          <NewAccountFields
            fieldOf={fieldOf}
            passcodeHint={`At least ${passwordLength.min} characters. It opens your account also without ${providerName}, and confirms what matters.`}
          />
          {instance && <Agreement pages={instance.pages} />}
          <p role="alert" className="text-sm font-medium text-bad empty:hidden">
            {isElsewhere &&
              sentenceOf(error, 'The account could not be made. Check the connection and try again.')}
          </p>
          <div className="flex flex-wrap gap-3">
            <Button type="submit" busy={register.status === 'running'}>
              Make the account
            </Button>
            <Button variant="quiet" onClick={openSignIn}>
              Cancel
            </Button>
          </div>
        </form>
      }
    >
      Nobody has an account with <span className="wrap-anywhere">{email}</span> here yet.
    </LinkSheet>
  )
}
