import { useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '#web/ui/Button.tsx'

interface EarlierMessagesProps {
  isBusy: boolean
  hasFailed: boolean
  onRead: () => void
}

/** Loads earlier messages when a reader scrolls near the first loaded one. After a failure the button loads them. */
export function EarlierMessages({ isBusy, hasFailed, onRead }: EarlierMessagesProps) {
  const button = useRef<HTMLButtonElement>(null)
  const read = useEffectEvent(onRead)
  useEffect(() => {
    if (isBusy || hasFailed) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && read(),
      { rootMargin: '600px 0px 0px' },
    )
    observer.observe(button.current!)
    return () => observer.disconnect()
  }, [isBusy, hasFailed])
  return (
    <div className="flex flex-col items-center gap-1">
      {hasFailed && <output className="text-sm text-ink-soft">Earlier messages could not be loaded.</output>}
      <Button ref={button} variant="quiet" busy={isBusy} onClick={onRead}>
        Earlier messages
      </Button>
    </div>
  )
}
