import { login, registerByOnboarding } from '#contract/account/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import type { SentInput } from '#contract/endpoint.ts'
import { RequestError, send } from '#web/lib/request.ts'
import { retryChange } from '#web/lib/use-action.ts'
import { isUnanswered, clearUnanswered, markUnanswered } from './draft.ts'

type Typed = SentInput<typeof registerByOnboarding>

export const register = (typed: Typed): Promise<User> => retryChange(() => registered(typed))

/** When an earlier attempt got no answer, it may have succeeded: a taken address is then first tried with a sign-in. */
async function registered(typed: Typed): Promise<User> {
  const { email, passcode } = typed
  const mayBeOwn = isUnanswered(email)
  markUnanswered(email)
  try {
    return (await send(registerByOnboarding, { input: typed })).user
  } catch (error) {
    if (!(error instanceof RequestError) || error.status >= 500) throw error
    const isOwn = mayBeOwn && error.code === 'EmailTaken'
    const user = isOwn ? await send(login, { input: { email, password: passcode } }).catch(() => null) : null
    if (user !== null) return user
    clearUnanswered()
    throw error
  }
}
