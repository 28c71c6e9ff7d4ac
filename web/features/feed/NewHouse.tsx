import { House, PenLine, Sparkles, UserPlus } from 'lucide-react'
import { Link } from 'wouter'
import { messagesPath } from '#contract/messages/paths.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'

/** Shown to an admin until the instance has its first post. */
export function NewHouse({ onWrite }: { onWrite: () => void }) {
  return (
    <section
      aria-labelledby="new-house"
      className="flex max-w-3xl flex-col items-start gap-4 rounded-lg border border-line bg-surface p-5 text-start"
    >
      <h2 id="new-house" className="text-xl font-semibold">
        Your house is new
      </h2>
      <p className="font-serif text-ink-soft">Nobody has published anything yet. Begin with one of these:</p>
      <ul className="flex flex-wrap gap-3">
        <li>
          <Button onClick={onWrite}>
            <PenLine aria-hidden className="size-4" />
            Write the first post
          </Button>
        </li>
        <li>
          <Link href="/admin?part=instance" className={buttonClass('quiet')}>
            <House aria-hidden className="size-4" />
            Name the house
          </Link>
        </li>
        <li>
          <Link href={messagesPath} className={buttonClass('quiet')}>
            <UserPlus aria-hidden className="size-4" />
            Invite people
          </Link>
        </li>
        <li>
          <Link href="/zimmers" className={buttonClass('quiet')}>
            <Sparkles aria-hidden className="size-4" />
            Look at the sample profiles
          </Link>
        </li>
      </ul>
    </section>
  )
}
