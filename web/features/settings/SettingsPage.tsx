import { type ComponentType, type ReactNode, useEffect } from 'react'
import { useSession } from '#web/features/account/index.ts'
import { YourWords } from '#web/features/your-words/index.ts'
import { useAppConfig, useHas } from '#web/lib/app-config.tsx'
import { usePageTitle } from '#web/lib/page-title.ts'
import { nearPart } from '#web/ui/near-part.tsx'
import { failedLine } from '#web/ui/part.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Appearance } from './Appearance.tsx'
import { Diary } from './Diary.tsx'
import { YourPage } from './YourPage.tsx'
import { YourPosts } from './YourPosts.tsx'

const lower = <Props extends object>(load: () => Promise<ComponentType<Props>>, height: string) =>
  nearPart(load, failedLine, () => <Skeleton className={height} />)
const lowerParts = () => import('./lower-parts.ts')
const Privacy = lower(async () => (await lowerParts()).Privacy, 'h-52')
const Notifications = lower(async () => (await lowerParts()).Notifications, 'h-147')
const EmailPart = lower(async () => (await lowerParts()).EmailPart, 'h-37')
const OpenidPart = lower(async () => (await lowerParts()).OpenidPart, 'h-52')
const BlockedPeople = lower(async () => (await lowerParts()).BlockedPeople, 'h-36')
const Sessions = lower(async () => (await lowerParts()).Sessions, 'h-110')
const ApiTokens = lower(async () => (await lowerParts()).ApiTokens, 'h-50')
const Premium = lower(async () => (await lowerParts()).Premium, 'h-45')
const Feedback = lower(async () => (await lowerParts()).Feedback, 'h-100')
const DeleteAccount = lower(async () => (await lowerParts()).DeleteAccount, 'h-40')
const ReadabilityCalculator = lower(async () => (await lowerParts()).ReadabilityCalculator, 'h-84')
const LiteraryMagazine = lower(async () => (await lowerParts()).LiteraryMagazine, 'h-32')

interface Part {
  name: string
  shown: ReactNode
}

/** The settings, and the tools that are none. A wide window has an index of these parts beside them. */
export function SettingsPage() {
  usePageTitle('Settings')
  const { state, user } = useSession()
  const { sendsMail = false, openidName } = useAppConfig()
  const hasPremium = useHas('premium')
  const isRegistered = state === 'registered'
  // Before, a part would move when those above it come.
  const isKnown = state !== 'unknown'
  useLinkedPart(isKnown)
  const settings = partsOf([
    { name: 'Appearance', shown: <Appearance /> },
    { name: 'Diary', shown: user !== null && <Diary /> },
    { name: 'Your page', shown: isRegistered && <YourPage userId={user.id} /> },
    { name: 'Your posts', shown: user !== null && <YourPosts /> },
    { name: 'Your words', shown: isRegistered && <YourWords user={user} /> },
    { name: 'Privacy', shown: isRegistered && <Privacy /> },
    { name: 'Notifications', shown: isRegistered && <Notifications /> },
    { name: 'Email', shown: isRegistered && sendsMail && <EmailPart /> },
    {
      name: 'Sign-in',
      shown: isRegistered && openidName !== undefined && <OpenidPart name={openidName} />,
    },
    { name: 'Blocked people', shown: isRegistered && <BlockedPeople /> },
    { name: 'Signed in on', shown: isRegistered && <Sessions /> },
    { name: 'API tokens', shown: isRegistered && <ApiTokens /> },
    { name: 'Premium publishing', shown: isKnown && hasPremium && <Premium /> },
    { name: 'Rating and feedback', shown: isKnown && <Feedback /> },
    { name: 'Delete account', shown: isRegistered && <DeleteAccount /> },
  ])
  const tools = partsOf([
    { name: 'Readability calculator', shown: isKnown && <ReadabilityCalculator /> },
    { name: 'Literary Magazine', shown: isKnown && <LiteraryMagazine /> },
  ])
  return (
    <div className="flex max-w-5xl gap-12">
      <div className="flex max-w-2xl min-w-0 flex-1 flex-col gap-6">
        <h1 className="text-2xl">Settings</h1>
        <Parts parts={settings} />
        <h2 className="mt-6 text-2xl">Tools</h2>
        <Parts parts={tools} />
        <p className="text-sm text-ink-soft">Version 1.0.0</p>
      </div>
      <nav aria-label="On this page" className="sticky top-8 mt-14 hidden w-48 self-start xl:block">
        <Index parts={settings} />
        <p className="mt-4 px-3 pb-1 text-xs font-semibold text-ink-soft">Tools</p>
        <Index parts={tools} />
      </nav>
    </div>
  )
}

/**
 * Moves to the part that the address names, after loading and at each navigation of the router, also to the same part. The
 * browser itself moves only for a plain link, or to a part that was there when the page loaded.
 */
function useLinkedPart(isShown: boolean) {
  useEffect(() => {
    if (!isShown) return
    moveToPart()
    // The router fires `pushState` at every navigation, also to the same address.
    addEventListener('pushState', moveToPart)
    return () => removeEventListener('pushState', moveToPart)
  }, [isShown])
}

function moveToPart() {
  const part = document.getElementById(location.hash.slice(1))
  if (part === null) return
  // Otherwise the heading of the page takes the focus, and scrolls.
  part.focus({ preventScroll: true })
  part.scrollIntoView()
}

const partsOf = (parts: Part[]) => parts.filter(({ shown }) => shown !== false)

const idOf = (name: string) => `part-${name.toLowerCase().replaceAll(' ', '-')}`

/**
 * A part has a name for the focus, also before its content has come. The margin is less than the gap above: nothing of the part
 * before is in sight, so that its change moves nothing.
 */
function Parts({ parts }: { parts: Part[] }) {
  return parts.map(({ name, shown }) => (
    <div
      key={name}
      id={idOf(name)}
      role="group"
      aria-label={name}
      tabIndex={-1}
      className="scroll-mt-5 outline-none"
    >
      {shown}
    </div>
  ))
}

function Index({ parts }: { parts: Part[] }) {
  return (
    <ul>
      {parts.map(({ name }) => (
        <li key={name}>
          <a
            href={`#${idOf(name)}`}
            className="touch flex items-center rounded-md px-3 py-1.5 text-sm text-ink-soft hover:bg-sunk hover:text-ink"
          >
            {name}
          </a>
        </li>
      ))}
    </ul>
  )
}
