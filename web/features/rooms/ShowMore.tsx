import type { Pages } from '#web/lib/pages.ts'
import { Button } from '#web/ui/Button.tsx'

interface ShowMoreProps {
  of: Pick<Pages<unknown>, 'readMore' | 'isReadingMore'>
  onPress?: () => void
}

export function ShowMore({ of: { readMore, isReadingMore }, onPress }: ShowMoreProps) {
  if (readMore === null) return null
  const more = () => {
    onPress?.()
    readMore()
  }
  return (
    <Button variant="quiet" className="self-center" busy={isReadingMore} onClick={more}>
      Show more
    </Button>
  )
}
