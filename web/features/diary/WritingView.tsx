import {
  type FormEvent,
  type KeyboardEvent,
  memo,
  useDeferredValue,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { diaryDate } from '#contract/diary/dates.ts'
import { entryMaxLength } from '#contract/diary/entry.ts'
import { isBlank, lengthInCodePoints } from '#contract/text.ts'
import { wordsOf } from '#contract/text-words.ts'
import { KeptInBrowser, useSignInAgain } from '#web/features/account/index.ts'
import { editorStatus, tooLong } from '#web/lib/editor/status.ts'
import { type Editor, useEditor } from '#web/lib/editor/use-editor.ts'
import { RequestError } from '#web/lib/request.ts'
import { useSubmitOnCtrlS } from '#web/lib/send-shortcuts.ts'
import { useAlert } from '#web/ui/alerts.tsx'
import { Button } from '#web/ui/Button.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { cx } from '#web/ui/cx.ts'
import { diaryHere, type DiaryKeeper, useSaveDay, useStoredDay } from './diary-days.ts'
import { localDiary } from './local-diary.ts'

/** The editor of one day. The caller gives each owner and day a React key, so that no state passes to another day. */
export function WritingView({ keeper, day }: { keeper: DiaryKeeper; day: string }) {
  const { stored, isFailed, refetch } = useStoredDay(keeper, day)
  const alert = useAlert()
  const onFailed = (error: unknown) => {
    console.error('Failed to save the diary entry', error)
    if (error instanceof RequestError && error.status === 401) {
      void alert('Please log in to save diary entries')
    }
  }
  const localDay = localDayOf(keeper, day)
  const unsavedCopy = localDay?.saved === false ? localDay.content : undefined
  const editor = useEditor({
    owner: keeper.owner,
    place: `diary/${day}`,
    stored,
    save: useSaveDay(keeper, day),
    sendsLater: keeper.keeps === 'account',
    onFailed,
    unsavedCopy,
  })
  const { text, state, isSentLater } = editor
  const deferredText = useDeferredValue(text)
  /** Whether the person has unlocked the saved text. The text of a day without an entry is never locked. */
  const [wasUnlocked, setWasUnlocked] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const editButton = useRef<HTMLButtonElement>(null)
  const hasPressedSave = useRef(false)
  /** A save has moved the focus from the sheet to 'Edit Entry', and the person may still be typing. */
  const mayStillType = useRef(false)
  const statusId = useId()
  // A day that was saved blank opens as a day without an entry.
  const isSaved = state === 'saved' || (state === 'unchanged' && !isBlank(text))
  const isLocked = !wasUnlocked && isSaved
  const isLoading = state === 'loading'
  const isSavedInBrowser = keeper.keeps === 'browser' && isSaved
  const over = text.length > entryMaxLength ? lengthInCodePoints(text) - entryMaxLength : 0
  const isBad = over > 0 || (state === 'failed' && !isSentLater) || state === 'draftFailed'

  useUnsavedCopy(keeper, day, editor)
  useSubmitOnCtrlS(form)
  useEffect(() => {
    if (!isLocked || !hasPressedSave.current) return
    hasPressedSave.current = false
    // The Save button is gone, so the button that unlocks the text gets the focus.
    const focused = document.activeElement
    mayStillType.current = focused === area.current
    if (focused === document.body || form.current?.contains(focused))
      editButton.current?.focus({ preventScroll: true })
  }, [isLocked])

  const saveAndLock = () => {
    if (over > 0) return
    // Lock before the save ends: its answer must not undo a press of 'Edit Entry' that came meanwhile.
    setWasUnlocked(false)
    hasPressedSave.current = true
    void editor.save()
  }
  const signInAgain = useSignInAgain(editor, saveAndLock)
  const unlock = () => {
    setWasUnlocked(true)
    area.current?.focus()
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isLocked && !isLoading) saveAndLock()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isOnButton = event.target === editButton.current && !mayStillType.current
    const isTyped = (isOnButton ? characterKeys : typingKeys).test(event.key)
    if (!isLocked || !isTyped || event.ctrlKey || event.metaKey || event.altKey) return
    // Unlock during the event: the browser then types the key into the sheet, at the caret.
    flushSync(() => setWasUnlocked(true))
    area.current?.focus()
    // The pressed button is removed, so the shortcuts of the page cannot see that the key was typed on a sheet.
    event.stopPropagation()
  }

  return (
    <>
      {isFailed && <QuietLine text="What is saved for this day could not be read." onTryAgain={refetch} />}
      {editor.hasDraftInOtherTab && (
        <p className="text-sm text-ink-soft">
          This day is also being written in another tab of this browser.
        </p>
      )}
      <form ref={form} className="sheet" data-sheet={isLocked ? 'locked' : 'open'} onSubmit={onSubmit}>
        <textarea
          ref={area}
          aria-label={`Entry of ${diaryDate(day)}`}
          placeholder="Write..."
          value={text}
          readOnly={isLocked || isLoading}
          aria-busy={isLoading}
          aria-invalid={over > 0 || undefined}
          aria-describedby={over > 0 ? statusId : undefined}
          rows={16}
          onChange={(event) => {
            // A save that waits may end at any moment, and must not lock the sheet under the writer.
            if (isSentLater) setWasUnlocked(true)
            editor.change(event.target.value)
          }}
          onKeyDown={onKeyDown}
          className={cx(
            'reading writing block field-sizing-content min-h-[60dvh] w-full max-w-none rounded-t-lg p-5 sm:p-9',
            isLocked ? 'bg-sunk text-ink-soft' : 'bg-surface',
          )}
        />
        <div
          data-foot
          className="sticky bottom-(--foot) transition-[bottom] duration-200 ease-out flex min-h-15 items-center gap-4 rounded-b-lg border-t border-line bg-surface px-5 py-2 low:min-h-12 low:py-0.5 huge:flex-wrap text-sm sm:px-9"
        >
          <div className="flex min-w-0 flex-1 flex-wrap gap-x-4 huge:basis-full">
            <WordCount text={deferredText} />
            <output
              id={statusId}
              className={cx('flex flex-wrap gap-x-4', isBad ? 'text-bad' : 'text-ink-soft')}
            >
              {over > 0 && <span>{tooLong(over)}</span>}
              {over === 0 && !isSavedInBrowser && <span>{editorStatus(editor)}</span>}
              {over === 0 && isSavedInBrowser && <KeptInBrowser />}
              {isLocked && <span>Locked</span>}
              {wasUnlocked && <span className="sr-only">Editing</span>}
            </output>
            {signInAgain.button}
          </div>
          {/* Two elements with keys: a click on one button that becomes a submit button would submit the form. */}
          {isLocked ? (
            <Button
              key="edit"
              ref={editButton}
              onClick={unlock}
              onKeyDown={onKeyDown}
              onBlur={() => void (mayStillType.current = false)}
            >
              Edit Entry
            </Button>
          ) : (
            <Button key="save" busy={state === 'saving'} disabled={isLoading || over > 0} type="submit">
              Save Entry
            </Button>
          )}
        </div>
      </form>
      <p className="text-xs text-ink-soft phone-writing:hidden">{privacyLine}</p>
      <TwoTexts editor={editor} field={area} onKeptThis={saveAndLock} />
      {signInAgain.dialog}
    </>
  )
}

export const privacyLine = 'Your entries are private and secure. Only you can see them.'

/** The keys that unlock the text from the button. Not Enter and Space: they press the button. */
const characterKeys = /^\S$/u
/** The keys that unlock the text from the sheet. */
const typingKeys = /^(.|Enter|Backspace|Delete)$/u

/** Takes a deferred text, so that counting does not delay typing. */
const WordCount = memo(({ text }: { text: string }) => {
  const words = wordsOf(text).length
  return (
    <p className="text-ink-soft">
      {words} {words === 1 ? 'word' : 'words'}
    </p>
  )
})

/**
 * When a person leaves a day that was never saved, stores its text among the days of the page, or removes the copy of an
 * earlier visit when nothing is unsaved. The editor restores this copy when there are no drafts. While another tab has a
 * draft, the copy stays, because it may have a text that no editor has. A text without a draft stays through a reload, too.
 */
function useUnsavedCopy({ owner, keeps }: DiaryKeeper, day: string, editor: Editor) {
  const latest = useRef(editor)
  useEffect(() => void (latest.current = editor))
  useEffect(
    () => () => {
      const { text, state, hasDraftInOtherTab } = latest.current
      const keeper = { owner, keeps }
      const localDay = localDayOf(keeper, day)
      if (state === 'loading' || localDay?.saved) return
      const isUnsaved = text !== '' && state !== 'unchanged' && state !== 'saved'
      const [here, inBrowser] = [diaryHere(keeper), localDiary(owner)]
      const copy = { date: day, content: text, saved: false, updated_at: null }
      if (isUnsaved) {
        here.write(day, copy)
        if (state === 'draftFailed') inBrowser.write(day, copy)
      } else if (localDay && !hasDraftInOtherTab) {
        here.remove(day)
        inBrowser.remove(day)
      }
    },
    [owner, keeps, day],
  )
}

const localDayOf = (keeper: DiaryKeeper, day: string) =>
  diaryHere(keeper).read(day) ?? localDiary(keeper.owner).read(day)
