import { useId, useState } from 'react'
import { cut } from '#contract/text.ts'
import { cx } from '#web/ui/cx.ts'
import { Button } from '#web/ui/Button.tsx'
import { WrittenText } from '#web/ui/WrittenText.tsx'

const previewLength = 150
const textClass = 'font-serif whitespace-pre-wrap wrap-anywhere'

interface PostTextProps {
  content: string
  authorName: string
}

/** The beginning of a post, and all of it once the admin asks for it. */
export function PostPreview({ content, authorName, isLine }: PostTextProps & { isLine: boolean }) {
  const [isWhole, setIsWhole] = useState(false)
  const id = useId()
  const beginning = cut(content, previewLength)
  return (
    <div
      id={id}
      className={cx(
        'flex gap-2',
        isLine && !isWhole ? 'min-w-0 items-baseline' : 'flex-col items-start',
        // On a wide window the button stands beside the others, so the words have the width.
        isLine ? 'xl:contents' : 'mt-2',
      )}
    >
      {isWhole ? (
        <div className={cx('w-full', isLine && 'xl:col-span-full')}>
          <WholeText content={content} authorName={authorName} />
        </div>
      ) : (
        <p
          dir="auto"
          className={cx('w-full', textClass, isLine && 'line-clamp-1 xl:col-start-2 xl:row-start-1')}
        >
          <WrittenText text={beginning} titleAs="span" titleClass="text-lg" />
        </p>
      )}
      {beginning !== content && (
        <Button
          variant="link"
          className={cx('text-sm', isLine && 'xl:col-start-4 xl:row-start-1')}
          aria-expanded={isWhole}
          aria-controls={id}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Show the beginning' : 'Read all'}
          <span className="sr-only"> of the post of {authorName}</span>
        </Button>
      )}
    </div>
  )
}

/** The whole text of a post. A long one scrolls inside, so that what can be decided about it stays near. */
export const WholeText = ({ content, authorName }: PostTextProps) => (
  <div
    role="region"
    aria-label={`The text of ${authorName}`}
    // Without a place in the order of focus, the keyboard could not scroll the text.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    tabIndex={0}
    dir="auto"
    className={`max-h-[50dvh] w-full overflow-y-auto overscroll-contain rounded-md bg-sunk px-4 py-3 ${textClass}`}
  >
    <WrittenText text={content} titleAs="h3" titleClass="text-lg" />
  </div>
)
