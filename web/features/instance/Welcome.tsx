import { getInstance } from '#contract/instance/endpoints.ts'
import { useEndpoint } from '#web/lib/api.ts'

/** Above the first page of the onboarding: the name of the instance, and what its admins write to people who come. */
export function Welcome() {
  const { name, description, welcome } = useEndpoint(getInstance).data ?? {}
  return (
    <>
      {name && (
        <p dir="auto" className="mt-2 font-serif text-xl">
          {name}
        </p>
      )}
      {description && (
        <p dir="auto" className="mt-1 text-balance text-ink-soft">
          {description}
        </p>
      )}
      {welcome && (
        <p dir="auto" className="mt-4 max-w-reading text-start whitespace-pre-line">
          {welcome}
        </p>
      )}
    </>
  )
}
