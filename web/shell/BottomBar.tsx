import { useEffect, useState } from 'react'
import { useSession } from '#web/features/account/index.ts'
import { part } from '#web/ui/part.tsx'
import { AccountRow, actionClass } from './AccountRow.tsx'
import { ThumbBar } from './ThumbBar.tsx'

/** Names the current person and offers the actions of their account. On a phone the bar leads to pages instead. */
export function BottomBar() {
  const { state } = useSession()
  const isReadingOn = useIsScrollingDown()
  return (
    <div
      ref={publishHeight}
      data-away={isReadingOn}
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] transition-transform duration-200 ease-out sm:px-6 lowest:static lowest:translate-y-0! print:hidden phone-writing:hidden"
    >
      <ThumbBar />
      <section aria-label="Account" className="py-0.5 max-sm:hidden low:py-0">
        {state === 'guest' || state === 'registered' ? (
          <PersonBar isGuest={state === 'guest'} />
        ) : (
          <AccountRow />
        )}
      </section>
    </div>
  )
}

const PersonBar = part(
  async () => (await import('./PersonBar.tsx')).PersonBar,
  (tryAgain) => (
    <AccountRow>
      <button type="button" className={actionClass} onClick={tryAgain}>
        <span className="sr-only">The actions of your account could not be loaded.</span>
        Try again
      </button>
    </AccountRow>
  ),
  () => <AccountRow />,
)

const scrollStep = 8

function useIsScrollingDown() {
  const [isDown, setIsDown] = useState(false)
  useEffect(() => {
    let last = scrollY
    const onScroll = () => {
      if (Math.abs(scrollY - last) < scrollStep) return
      setIsDown(scrollY > Math.max(last, 0))
      last = scrollY
    }
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [])
  return isDown
}

/** Keeps the height of the bar in a CSS property: the end of the page and the toasts stay above the bar. */
function publishHeight(bar: HTMLDivElement) {
  const publish = (height: number) =>
    document.documentElement.style.setProperty('--bottom-bar', `${height}px`)
  const observer = new ResizeObserver(() => publish(bar.offsetHeight))
  observer.observe(bar)
  return () => {
    observer.disconnect()
    publish(0)
  }
}
