import { Link } from 'wouter'
import { personPath } from '#contract/people/paths.ts'

/** The link above a list that does not begin with the newest text. */
export function NewestLink({ personId, text }: { personId: string; text: string }) {
  return (
    <Link
      href={personPath(personId)}
      className="touch self-start text-lamp underline-offset-4 hover:underline"
    >
      {`← ${text}`}
    </Link>
  )
}
