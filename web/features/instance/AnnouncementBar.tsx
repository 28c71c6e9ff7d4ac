import { Megaphone, X } from 'lucide-react'
import { useState } from 'react'
import type { Announcement } from '#contract/instance/announcement.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { useIsInBrowser } from '#web/lib/in-browser.ts'
import { storedText } from '#web/lib/storage.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'

/** The announcement that was closed last in this browser. */
const closed = storedText('closed-announcement')

/** Above every page, until the person closes it, or the settings of the page have it no more. */
export function AnnouncementBar() {
  const { announcement } = useAppConfig().instance ?? {}
  return announcement && <Bar key={nameOf(announcement)} announcement={announcement} />
}

const nameOf = ({ text, link }: Announcement) => `${link ?? ''} ${text}`

function Bar({ announcement }: { announcement: Announcement }) {
  const { text, link } = announcement
  const isInBrowser = useIsInBrowser()
  const [isClosed, setIsClosed] = useState(false)
  const name = nameOf(announcement)
  if (isClosed || (isInBrowser && closed.read() === name)) return null
  return (
    <section
      ref={publishHeight}
      aria-label="Announcement"
      className="phone-writing:hidden flex items-start gap-3 sm:items-center border-b border-line bg-sunk px-4 py-2 sm:px-6 print:hidden"
    >
      <Megaphone aria-hidden className="size-4 shrink-0 text-lamp max-sm:mt-2.5" />
      <p dir="auto" className="min-w-0 flex-1 self-center py-0.5 text-sm whitespace-pre-line">
        {text}
        {link !== null && (
          <>
            {' '}
            <a href={link} rel="noreferrer" className={buttonClass('link')}>
              Read more
            </a>
          </>
        )}
      </p>
      <IconButton
        label="Close the announcement"
        icon={X}
        onClick={() => {
          closed.write(name)
          setIsClosed(true)
          document.getElementById('main')?.focus({ preventScroll: true })
        }}
      />
    </section>
  )
}

/** Keeps the height of the announcement in a CSS property: on a phone toasts stand below it and the header. */
function publishHeight(bar: HTMLElement) {
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => style.setProperty('--announcement', `${bar.offsetHeight}px`))
  observer.observe(bar)
  return () => {
    observer.disconnect()
    style.removeProperty('--announcement')
  }
}
