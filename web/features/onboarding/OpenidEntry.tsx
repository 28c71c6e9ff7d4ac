import { startOpenidSignIn } from '#contract/openid/endpoints.ts'
import { sentenceOf, useAction } from '#web/lib/api.ts'
import { Button } from '#web/ui/Button.tsx'
import { linkToken, storedLinkToken } from './link-token.ts'

/** The way in by the OpenID Connect provider, for people with an account and without one. */
export function OpenidEntry({ name }: { name: string }) {
  const start = useAction(startOpenidSignIn, { retries: false, failure: 'Failed to begin the sign-in' })

  const press = async () => {
    const attempt = await start.attempt()
    if (!attempt) return
    // The provider sends back to another address, without the token.
    const token = linkToken()
    if (token === undefined) storedLinkToken.remove()
    else storedLinkToken.write(token)
    location.assign(attempt.address)
  }
  return (
    <section
      aria-label={`Sign in or sign up with ${name}`}
      className="flex flex-col items-stretch gap-3 border-t border-line pt-6 sm:col-span-2 sm:items-center"
    >
      <Button
        variant="quiet"
        className="max-w-full whitespace-normal sm:min-w-64"
        busy={start.status === 'running'}
        onClick={() => void press()}
      >
        <span dir="auto">Continue with {name}</span>
      </Button>
      <p role="alert" className="text-sm font-medium text-bad empty:hidden">
        {start.error && sentenceOf(start.error, 'That did not work. Check the connection and try again.')}
      </p>
    </section>
  )
}
