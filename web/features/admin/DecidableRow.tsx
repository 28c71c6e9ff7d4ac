import { type ReactNode, useState } from 'react'
import type { Post } from '#contract/feed/post.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { cx } from '#web/ui/cx.ts'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { DecisionDialog } from './decision-parts.ts'
import { OwnPostLine } from './OwnPostLine.tsx'
import { PostPreview, WholeText } from './PostPreview.tsx'
import { decidedSentence, failureOf } from './use-batches.ts'
import { useMayDecide } from './use-may-decide.ts'

interface Decision {
  verb: string
  decide: (reason: string) => Promise<unknown>
  failed: string
}

export interface RowProps<P> {
  post: P
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
}

interface DecidableRowProps extends RowProps<Pick<Post, 'id' | 'authorId' | 'authorName' | 'content'>> {
  /** Stands beside the name of the author. */
  state: ReactNode
  /** The last one has a button of its own, which asks for no reason. */
  decisions: readonly [...Decision[], Decision]
  isRunning?: boolean
  /** The last decision without a reason, where it is not sent at once. */
  held?: { decide: () => void; failure: string | null }
  /** On the button that asks for a reason. */
  asking: ReactNode
  /** Stands below the text. */
  children?: ReactNode
  /** The button that opens the post. With it the row is one line on a wide window. */
  opening?: ReactNode
  /** The button that erases the post. */
  erasing?: ReactNode
}

/** A post with a checkbox, and what can be decided about it. An own post of a moderator has neither. */
export function DecidableRow(props: DecidableRowProps) {
  const {
    post,
    isSelected,
    onSelect,
    state,
    decisions,
    isRunning = false,
    held,
    asking,
    children,
    opening,
    erasing,
  } = props
  const [isAsking, setIsAsking] = useState(false)
  const [failed, setFailure] = useState<string | null>(null)
  const failure = held ? held.failure : failed
  const isLine = opening !== undefined
  const toast = useToast()
  const mayDecide = useMayDecide()(post)
  const main = decisions.at(-1)!
  const draft = `${post.id}/${decisions.map(({ verb }) => verb).join('/')}`

  /**
   * Returns null after the decision, a sentence when it failed, and '' when another admin has decided first: a toast then
   * shows it.
   */
  const attempt = async ({ decide, failed }: Decision, reason: string) => {
    try {
      await decide(reason)
      return null
    } catch (error) {
      const decided = decidedSentence(error)
      if (decided === null) return failureOf(error, failed)
      // The list is read again. The row may leave it, or offer other decisions.
      toast({ title: decided, tone: 'destructive' })
      setIsAsking(false)
      return ''
    }
  }
  const decideAtOnce = async () => {
    if (held) return held.decide()
    setFailure(null)
    setFailure(await attempt(main, ''))
  }
  return (
    <Card
      as="li"
      className={cx(
        '[content-visibility:auto]',
        isLine
          ? 'grid items-center gap-x-4 gap-y-1 px-4 py-2 [contain-intrinsic-size:auto_4rem] focus-within:border-lamp xl:grid-cols-[8rem_minmax(14rem,1fr)_auto_auto_auto]'
          : '[contain-intrinsic-size:auto_10rem]',
      )}
    >
      <div
        className={cx('flex flex-wrap items-center justify-between gap-x-4 gap-y-2', isLine && 'xl:contents')}
      >
        <Checkbox
          checked={isSelected}
          disabled={!mayDecide}
          onChange={(event) => onSelect(event.target.checked)}
          label={
            <>
              <span className="sr-only">Select the post of </span>
              <span className="font-serif font-semibold">{post.authorName}</span>
            </>
          }
        />
        <span
          className={cx(
            'flex flex-wrap items-center gap-2 text-xs text-ink-soft',
            isLine && 'xl:col-start-3 xl:row-start-1',
          )}
        >
          {state}
        </span>
      </div>
      <PostPreview content={post.content} authorName={post.authorName} isLine={isLine} />
      {children}
      <div
        className={cx(
          'flex flex-wrap items-center justify-end gap-3',
          isLine ? 'xl:col-start-5 xl:row-start-1' : 'mt-3',
        )}
      >
        {opening}
        {erasing}
        {mayDecide ? (
          <>
            {failure && <QuietLine text={failure} onTryAgain={() => void decideAtOnce()} />}
            <Button variant="link" className="text-sm" onClick={() => setIsAsking(true)}>
              {asking}
            </Button>
            <Button variant="quiet" busy={isRunning} onClick={() => void decideAtOnce()}>
              {main.verb}
              <span className="sr-only">the post of {post.authorName}</span>
            </Button>
          </>
        ) : (
          <OwnPostLine />
        )}
      </div>
      {isAsking && (
        <DecisionDialog
          key={draft}
          title={`The post of ${post.authorName}`}
          text={<WholeText content={post.content} authorName={post.authorName} />}
          place={draft}
          choices={decisions.map((decision) => ({
            verb: decision.verb,
            decide: (reason) => attempt(decision, reason),
          }))}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Card>
  )
}
