import { type FormEvent, useRef } from 'react'
import { Link, useSearch } from 'wouter'
import { noteMaxLength } from '#contract/calendar/note.ts'
import { diaryDate } from '#contract/diary/dates.ts'
import { cut, isBlank } from '#contract/text.ts'
import { KeptInBrowser, useSignInAgain } from '#web/features/account/index.ts'
import { diaryPath, FoundSnippet } from '#web/features/diary/index.ts'
import { editorStatus } from '#web/lib/editor/status.ts'
import { fieldOf } from '#web/lib/editor/use-drafted-text.ts'
import { useEditor } from '#web/lib/editor/use-editor.ts'
import { RequestError } from '#web/lib/request.ts'
import { submitOnCtrlEnter, useSubmitOnCtrlS } from '#web/lib/send-shortcuts.ts'
import { useAlert } from '#web/ui/alerts.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import type { Notes } from './notes.ts'

interface DailyNotesProps {
  day: string
  notes: Notes
  diaryText: string | undefined
}

const snippetLength = 50

/** The note of a selected day, and the beginning of its diary entry. The caller sets a key of owner and day. */
export function DailyNotes({ day, notes, diaryText }: DailyNotesProps) {
  const alert = useAlert()
  const onFailed = (error: unknown) => {
    console.error('Failed to save the note', error)
    void alert(failureText(error))
  }
  const stored = notes.storedOf(day)
  const editor = useEditor({
    owner: notes.owner,
    place: `notes/${day}`,
    stored,
    save: notes.saveOf(day),
    sendsLater: !notes.isInBrowser,
    onFailed,
  })
  const signInAgain = useSignInAgain(editor, () => void editor.save())
  const hasNote = stored !== undefined && !isBlank(stored.text)
  const isKeptHere =
    notes.isInBrowser && (editor.state === 'saved' || (editor.state === 'unchanged' && hasNote))
  const isSaving = editor.state === 'saving'
  const { isTooLong, field } = fieldOf(editor, noteMaxLength)
  const isFromSearch = new URLSearchParams(useSearch()).has('found')

  const form = useRef<HTMLFormElement>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  useSubmitOnCtrlS(form)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBlank(editor.text) && !isTooLong) void editor.save()
  }
  const clear = () => {
    editor.change('')
    void editor.save()
    // The Clear button is removed with the note, so the field gets the focus: the next key must not be lost.
    area.current?.focus()
  }
  return (
    <Card
      as="section"
      ref={bringIntoSight}
      aria-labelledby="daily-notes"
      className="flex scroll-mt-4 flex-col gap-4 p-5"
    >
      <header className="flex flex-wrap items-center gap-2">
        <h2 id="daily-notes" className="me-auto text-xl">
          Daily Notes
        </h2>
        {hasNote && <Badge>Has Notes</Badge>}
        {diaryText !== undefined && <Badge>Has Diary Entry</Badge>}
      </header>
      <p className="text-sm text-ink-soft">{diaryDate(day)}</p>
      {isFromSearch && stored !== undefined && <FoundSnippet owner={notes.owner} text={stored.text} />}
      <form ref={form} className="flex flex-col gap-3" onSubmit={submit} onKeyDown={submitOnCtrlEnter}>
        <TextArea ref={area} label="Note" rows={6} {...field} />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" busy={isSaving} disabled={isBlank(editor.text) || isTooLong}>
            Save
          </Button>
          {hasNote && (
            <Button variant="quiet" onClick={clear}>
              Clear
            </Button>
          )}
          <output className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
            {isKeptHere ? <KeptInBrowser /> : editorStatus(editor)}
          </output>
          {signInAgain.button}
        </div>
      </form>
      {diaryText !== undefined && (
        <div className="flex flex-col gap-1 border-t border-line pt-4">
          <p dir="auto" className="font-serif whitespace-pre-wrap">
            {cut(diaryText, snippetLength)}
          </p>
          <Link href={diaryPath(day)} className="text-sm text-lamp underline underline-offset-4">
            View full entry in the Diary tab
          </Link>
        </div>
      )}
      <TwoTexts editor={editor} field={area} onKeptThis={() => void editor.save()} />
      {signInAgain.dialog}
    </Card>
  )
}

/** On a phone the note is below the month. It is scrolled into view, so that a person who taps a day sees it. */
function bringIntoSight(note: HTMLElement | null) {
  const bar =
    Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--bottom-bar')) || 0
  const isInSight = note === null || note.getBoundingClientRect().top + noteShownPx < innerHeight - bar
  if (!isInSight) note.scrollIntoView({ block: 'start' })
}

/** The height that must be visible: the heading of the note, its day and the first lines of its field. */
const noteShownPx = 220

function failureText(error: unknown): string {
  if (error instanceof TypeError) return 'Network error - failed to save note'
  if (!(error instanceof RequestError)) return 'Failed to save note: Unknown error'
  if (error.status === 401) return 'Please log in to save calendar notes'
  return `Failed to save note: ${error.error ?? 'Unknown error'}`
}
