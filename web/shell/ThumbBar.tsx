import { BookOpen, DoorOpen, House, MessageCircle, PenLine, Sparkles } from 'lucide-react'
import { useSession } from '#web/features/account/index.ts'
import { useHas } from '#web/lib/app-config.tsx'
import { useUnreadCount } from '#web/lib/page-title.ts'
import type { Entry } from './entries.ts'
import { PageLink } from './PageLink.tsx'
import { useAddress } from './use-address.ts'

/** On a phone: leads to the pages that people open most. Who has no account has no messages, and finds the creators. */
export function ThumbBar() {
  const { state } = useSession()
  const hasSamples = useHas('samples')
  const isWithoutAccount = state === 'none' || state === 'guest'
  return (
    <nav aria-label="Often used" className="flex sm:hidden">
      <ThumbLink label="Feed" href="/dashboard" icon={House} />
      <ThumbLink label="Diary" href="/diary" icon={BookOpen} />
      <ThumbLink label="Write" href="/write" icon={PenLine} />
      <ThumbLink label="Rooms" href="/zimmers?view=rooms" icon={DoorOpen} />
      {isWithoutAccount ? (
        hasSamples && <ThumbLink label="Creators" href="/zimmers" icon={Sparkles} />
      ) : (
        <ThumbLink label="Messages" href="/messages" icon={MessageCircle} />
      )}
    </nav>
  )
}

function ThumbLink({ label, href, icon: Icon }: Entry) {
  const here = useAddress()
  const unreadCount = useUnreadCount()
  return (
    <PageLink
      href={href}
      aria-current={href === here ? 'page' : undefined}
      className="flex min-h-11 flex-1 basis-0 flex-col items-center justify-center rounded-md text-xs leading-4 text-ink-soft aria-[current]:text-lamp"
    >
      <span className="relative">
        <Icon aria-hidden className="size-5" />
        {href === '/messages' && unreadCount > 0 && (
          <span className="absolute -top-0.5 -inset-e-1 size-2.5 rounded-full bg-lamp" />
        )}
      </span>
      {label}
      {href === '/messages' && unreadCount > 0 && (
        <span className="sr-only">{` (${unreadCount} unread)`}</span>
      )}
    </PageLink>
  )
}
