import { Badge } from '#web/ui/Badge.tsx'

/** The watched words in a waiting post, on one line that is cut where there is no room. */
export const WatchedWords = ({ words = [] }: { words?: readonly string[] | undefined }) =>
  words.length > 0 && (
    <Badge tone="warn">
      <span className="max-w-56 truncate" title={words.join(', ')}>
        {words.length === 1 ? 'Watched word' : 'Watched words'}: <bdi>{words.join(', ')}</bdi>
      </span>
    </Badge>
  )
