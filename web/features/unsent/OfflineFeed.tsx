import { useEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { Link, useLocation } from 'wouter'

/** Says that a device does not keep the feed, and leads to what it keeps. */
export function OfflineFeed() {
  const isOnline = useSyncExternalStore(onNetwork, () => navigator.onLine)
  const [path] = useLocation()
  const [place] = useState(() => document.createElement('div'))
  useEffect(() => {
    document.getElementById('main')?.before(place)
    return () => place.remove()
  }, [place])
  if (isOnline || (path !== '/' && path !== '/dashboard')) return null
  return createPortal(
    <section
      aria-label="Without a connection"
      className="mx-auto mt-8 flex max-w-3xl flex-col gap-1 px-4 text-center text-sm print:hidden"
    >
      <p>The feed needs a connection. Without one you can read and write here:</p>
      <ul className="flex flex-wrap justify-center gap-x-4">
        {places.map(({ href, name }) => (
          <li key={href}>
            <Link href={href} className="touch text-lamp underline underline-offset-4">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </section>,
    place,
  )
}

const places = [
  { href: '/diary', name: 'Diary' },
  { href: '/calendar', name: 'Calendar' },
  { href: '/writing', name: 'Your writing' },
  { href: '/messages', name: 'Messages' },
  { href: '/read-later', name: 'Read later' },
]

function onNetwork(changed: () => void) {
  for (const event of ['online', 'offline']) addEventListener(event, changed)
  return () => {
    for (const event of ['online', 'offline']) removeEventListener(event, changed)
  }
}
