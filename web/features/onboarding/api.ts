import { useMutation } from '@tanstack/react-query'
import { login, registerByOnboarding } from '#contract/account/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import type { SentInput } from '#contract/endpoint.ts'
import { RequestError, send } from '#web/lib/request.ts'
import { isUnheard, markHeard, markUnheard } from './draft.ts'

type Typed = SentInput<typeof registerByOnboarding>

export const useRegistration = () => useMutation({ mutationFn: registered })

/** When an earlier try may have succeeded unheard, a taken address is first tried as one's own. */
async function registered(typed: Typed): Promise<User> {
  const { email, passcode } = typed
  const mayBeOwn = isUnheard(email)
  markUnheard(email)
  try {
    return (await send(registerByOnboarding, { input: typed })).user
  } catch (error) {
    if (!(error instanceof RequestError) || error.status >= 500) throw error
    const isOwn = mayBeOwn && error.code === 'EmailTaken'
    const user = isOwn ? await send(login, { input: { email, password: passcode } }).catch(() => null) : null
    if (user !== null) return user
    markHeard()
    throw error
  }
}

/** The server's own sentence about a failure, if it gave one. */
export const saidByServer = (error: unknown): string | null =>
  error instanceof RequestError && error.error ? error.error : null
