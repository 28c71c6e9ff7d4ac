import { useEffect, useState } from 'react'
import { useSession } from '#web/features/account/index.ts'
import { part } from '#web/ui/part.tsx'
import { AccountRow, actionClass } from './AccountRow.tsx'

/** Names the current person and offers the actions of their account. */
export function BottomBar() {
  const { state } = useSession()
  const isReadingOn = useIsScrollingDown()
  return (
    <section
      aria-label="Account"
      ref={publishHeight}
      data-away={isReadingOn}
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface px-4 py-1 pb-[max(0.25rem,env(safe-area-inset-bottom))] transition-transform duration-200 ease-out sm:px-6 phone-writing:hidden max-sm:in-[:root:has(textarea:focus)]:hidden max-sm:not-focus-within:data-[away=true]:translate-y-full"
    >
      {state === 'guest' || state === 'registered' ? (
        <PersonBar isGuest={state === 'guest'} />
      ) : (
        <AccountRow />
      )}
    </section>
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

/** Whether the last step of scrolling went down the page. */
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
function publishHeight(bar: HTMLElement) {
  const publish = (height: number) =>
    document.documentElement.style.setProperty('--bottom-bar', `${height}px`)
  const observer = new ResizeObserver(() => publish(bar.offsetHeight))
  observer.observe(bar)
  return () => {
    observer.disconnect()
    publish(0)
  }
}
