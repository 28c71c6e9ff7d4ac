import { useQuery } from '@tanstack/react-query'
import { login, type registerByOnboarding } from '#contract/account/endpoints.ts'
import { checkRegistrationLink, requestRegistration } from '#contract/account/registration/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import type { Access } from '#contract/app/endpoints.ts'
import type { SentInput } from '#contract/endpoint.ts'
import { codeOf } from '#web/lib/api.ts'
import { RequestError, send } from '#web/lib/request.ts'
import { retryChange } from '#web/lib/use-action.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { storedAnswer } from './answer.ts'
import { register } from './api.ts'
import { forgetDraft } from './draft.ts'
import { linkToken } from './link-token.ts'

// What the onboarding needs where admins have restricted something: one file, which no other instance fetches.

interface RestrictedEntryProps {
  registration: Access['registration']
  onNext: () => void
  onNextNear: () => void
}

/** How a new person enters an instance whose admins have restricted something. */
export function RestrictedEntry({ registration, onNext, onNextNear }: RestrictedEntryProps) {
  const token = registration === 'invitation' ? linkToken() : undefined
  const { data: isGood } = useQuery({
    queryKey: ['whether a registration link is good', token],
    queryFn: () => isGoodLink(token!),
    enabled: token !== undefined,
  })
  const isOut =
    registration === 'closed' || (registration === 'invitation' && (token === undefined || isGood === false))
  return (
    <>
      {registration === 'closed' && <Line>Nobody new can sign up here at the moment.</Line>}
      {registration === 'invitation' && token === undefined && (
        <Line>People sign up here by an invitation link. If you have one, open it.</Line>
      )}
      {isGood === false && (
        <Line>This invitation link is no longer good. Please ask an admin for a new one.</Line>
      )}
      {isGood && <Line>You are invited to sign up here.</Line>}
      {registration === 'approval' && <Line>An admin reads your sign-up before you can write here.</Line>}
      {!isOut && (
        <Button onClick={onNext} onPointerEnter={onNextNear} onFocus={onNextNear}>
          Next
        </Button>
      )}
    </>
  )
}

const Line = ({ children }: { children: string }) => <p className="text-sm text-ink-soft">{children}</p>

/** Without an answer the registration decides. */
const isGoodLink = (token: string): Promise<boolean> =>
  send(checkRegistrationLink, { input: { token } }).then(
    () => true,
    (error: unknown) => codeOf(error) !== 'RegistrationLinkRefused',
  )

/** Shown to a person whose registration waits for an admin. */
export function RequestSent() {
  return (
    <div className="flex flex-col items-start gap-5">
      <p className="font-serif text-lg leading-relaxed">
        An admin reads what you have sent and decides. Come back later, and sign in with your email address
        and your passcode. The page then says whether you are approved.
      </p>
      <a href="/dashboard" className={buttonClass('quiet')}>
        Read the feed
      </a>
    </div>
  )
}

type Typed = SentInput<typeof registerByOnboarding>

/** Signs a person up where admins have restricted something. Undefined: an admin decides first. */
export async function signUp({ registration }: Access, typed: Typed): Promise<User | undefined> {
  if (registration === 'approval') return ask(typed)
  const token = linkToken()
  return register({ ...typed, ...(token !== undefined && { registrationToken: token }) })
}

async function ask(typed: Typed): Promise<undefined> {
  const { email, passcode } = typed
  let mayBeOwn = false
  await retryChange(async () => {
    try {
      await send(requestRegistration, { input: { ...typed, answer: storedAnswer.read() ?? '' } })
    } catch (error) {
      const isAnswer = error instanceof RequestError && error.status < 500
      // After an attempt without an answer the address may be taken by this person: the sign-in says so.
      const isOwn = mayBeOwn && codeOf(error) === 'EmailTaken' && (await waits({ email, password: passcode }))
      mayBeOwn ||= !isAnswer
      if (!isOwn) throw error
    }
  })
  forgetDraft()
  storedAnswer.remove()
}

const waits = (input: { email: string; password: string }): Promise<boolean> =>
  send(login, { input }).then(
    () => false,
    (error: unknown) => codeOf(error) === 'RegistrationWaits',
  )
