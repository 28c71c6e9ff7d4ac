import { ChevronLeft, ChevronRight, Info } from 'lucide-react'
import { type FormEvent, memo, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { addDays, isDay } from '#contract/days.ts'
import { diaryDate } from '#contract/diary/dates.ts'
import { entryMaxLength } from '#contract/diary/entry.ts'
import { lengthInCodePoints } from '#contract/text.ts'
import { wordsOf } from '#contract/text-words.ts'
import { Conflict, type Save } from '#web/lib/editor/manuscript.ts'
import { editorStatus } from '#web/lib/editor/status.ts'
import { type Editor, useEditor } from '#web/lib/editor/use-editor.ts'
import { onKeys } from '#web/lib/keys.ts'
import { RequestError } from '#web/lib/request.ts'
import { useAlert } from '#web/ui/alerts.tsx'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { cx } from '#web/ui/cx.ts'
import { type DiaryKeeper, useSaveDay, useStoredDay } from './diary-days.ts'
import { localDiary } from './local-diary.ts'
import { diaryPath } from './path.ts'

/** One sheet for one day. Keyed by owner and day. */
export function WritingView({ keeper, day }: { keeper: DiaryKeeper; day: string }) {
  const { stored, isFailed, refetch } = useStoredDay(keeper, day)
  const saveDay = useSaveDay(keeper, day)
  const alert = useAlert()
  const save: Save = async (content, base) => {
    try {
      return await saveDay(content, base)
    } catch (error) {
      if (error instanceof Conflict) throw error
      console.error('Failed to save the diary entry', error)
      if (error instanceof RequestError && error.status === 401) {
        void alert('Please log in to save diary entries')
      }
      throw error
    }
  }
  const editor = useEditor({ owner: keeper.owner, place: `diary/${day}`, stored, save })
  const { text, state } = editor
  const counted = useDeferredValue(text)
  const [isUnlocked, setIsUnlocked] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  // A day that was saved blank has no text, but a version.
  const isKept = text !== '' || (stored?.version ?? null) !== null
  const isSaved = state === 'saved' || (state === 'unchanged' && isKept)
  const isLocked = !isUnlocked && isSaved
  const isOpening = state === 'opening'
  const over = text.length > entryMaxLength ? lengthInCodePoints(text) - entryMaxLength : 0

  useUnsavedCopy(keeper.owner, day, editor)

  const keep = () => {
    if (over > 0) return
    // At once: 'Edit Entry' may be pressed before the save is over in every place.
    setIsUnlocked(false)
    void editor.save()
  }
  const unlock = () => {
    setIsUnlocked(true)
    area.current?.focus()
  }
  const onSubmit = (event: Pick<FormEvent, 'preventDefault'>) => {
    event.preventDefault()
    if (!isLocked) keep()
  }

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 's' && (event.ctrlKey || event.metaKey)) onSubmit(event)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  })

  return (
    <>
      <DayHeader day={day} />
      {isFailed && <QuietLine text="What is saved for this day could not be read." onTryAgain={refetch} />}
      {editor.isOpenElsewhere && (
        <p className="text-sm text-ink-soft">
          This day is also being written in another tab of this browser.
        </p>
      )}
      <form className="flex flex-col gap-3" onSubmit={onSubmit}>
        <textarea
          ref={area}
          aria-label={`Entry of ${diaryDate(day)}`}
          placeholder="Write..."
          value={text}
          readOnly={isLocked || isOpening}
          aria-busy={isOpening}
          rows={16}
          onChange={(event) => editor.change(event.target.value)}
          className={cx(
            'reading mx-auto field-sizing-content min-h-[60dvh] w-full max-w-reading rounded-lg border border-line p-5 shadow-float outline-offset-4 sm:p-8',
            isLocked ? 'bg-sunk text-ink-soft' : 'bg-surface',
          )}
        />
        <div className="mx-auto flex w-full max-w-reading flex-wrap items-center gap-x-4 gap-y-2">
          <WordCount text={counted} />
          <output
            className={cx('text-sm', state === 'failed' || state === 'unkept' ? 'text-bad' : 'text-ink-soft')}
          >
            {editorStatus(editor)}
          </output>
          {over > 0 && <p className="text-sm text-bad">{over} characters more than an entry can hold.</p>}
          <span className="flex-1" />
          <IconButton
            icon={Info}
            label="Your entries are private and secure. Only you can see them."
            aria-disabled
          />
          {/* Two buttons: one that turned into the other while it is clicked would submit at once. */}
          {isLocked ? (
            <Button key="edit" onClick={unlock}>
              Edit Entry
            </Button>
          ) : (
            <Button key="save" busy={state === 'saving'} disabled={isOpening || over > 0} type="submit">
              Save Entry
            </Button>
          )}
        </div>
      </form>
      <TwoTexts editor={editor} onKeptMine={keep} />
    </>
  )
}

/** Counted when there is time: typing comes first. */
const WordCount = memo(({ text }: { text: string }) => {
  const words = wordsOf(text).length
  return (
    <p className="text-sm text-ink-soft">
      {words} {words === 1 ? 'word' : 'words'}
    </p>
  )
})

function DayHeader({ day }: { day: string }) {
  const [, go] = useLocation()
  const [before, after] = [addDays(day, -1), addDays(day, 1)]

  useEffect(() => {
    const stops = [onKeys('[', () => go(diaryPath(before))), onKeys(']', () => go(diaryPath(after)))]
    return () => stops.forEach((stop) => stop())
  }, [go, before, after])

  return (
    <div className="mx-auto flex w-full max-w-reading items-center justify-between gap-2">
      <IconButton
        label="Previous day"
        icon={ChevronLeft}
        disabled={!isDay(before)}
        onClick={() => go(diaryPath(before))}
      />
      <h2 aria-live="polite" className="text-center text-xl">
        {diaryDate(day)}
      </h2>
      <IconButton
        label="Next day"
        icon={ChevronRight}
        disabled={!isDay(after)}
        onClick={() => go(diaryPath(after))}
      />
    </div>
  )
}

/** Who leaves a day that was never saved leaves its text among the days that this browser keeps. */
function useUnsavedCopy(owner: string, day: string, editor: Editor) {
  const latest = useRef(editor)
  useEffect(() => void (latest.current = editor))
  useEffect(
    () => () => {
      const { text, state } = latest.current
      const local = localDiary(owner)
      const here = local.read(day)
      if (state === 'opening' || here?.saved) return
      const isUnsaved = text !== '' && state !== 'unchanged' && state !== 'saved'
      if (isUnsaved) local.write(day, { date: day, content: text, saved: false, updated_at: null })
      else if (here) local.remove(day)
    },
    [owner, day],
  )
}
