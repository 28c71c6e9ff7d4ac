import { OpenidButton } from '#web/features/account/index.ts'
import { linkToken, storedLinkToken } from './link-token.ts'

/** The way in by the OpenID Connect provider, for people with an account and without one. */
export function OpenidEntry({ name }: { name: string }) {
  const keepToken = () => {
    // The provider sends back to another address, without the token.
    const token = linkToken()
    if (token === undefined) storedLinkToken.remove()
    else storedLinkToken.write(token)
  }
  return (
    <section
      aria-label={`Sign in or sign up with ${name}`}
      className="flex flex-col items-stretch gap-3 border-t border-line pt-6 sm:col-span-2 sm:items-center"
    >
      <OpenidButton name={name} onLeave={keepToken} />
    </section>
  )
}
