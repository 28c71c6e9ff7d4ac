import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { formatNames } from '#contract/imports/format-names.ts'
import { SignInAgainDialog } from '#web/features/account/index.ts'
import { downloadFile } from '#web/lib/download.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { useImport } from './import/current-import.ts'
import { ImportCountsList } from './import/ImportCountsList.tsx'
import type { ChosenFile, ImportResult, Pause } from './import/import-state.ts'

/** Brings texts of another program, or of an archive of ours, into the account. Nothing is saved before the preview. */
export function Import({ personId }: { personId: string }) {
  const { state, start, apply, goOnSignedIn, stop } = useImport(personId)
  const heading = useRef<HTMLHeadingElement>(null)
  const step = state?.step
  const before = useRef(step)
  // The control that had the focus goes with its step.
  useEffect(() => {
    if (before.current !== step && document.activeElement === document.body) heading.current?.focus()
    before.current = step
  }, [step])
  return (
    <section aria-labelledby="import" className="flex flex-col gap-4">
      <div>
        <h3 ref={heading} tabIndex={-1} id="import" className="text-lg outline-none">
          Import
        </h3>
        <p className="mt-3 text-sm text-ink-soft">
          From an archive of Z!mmer, Day One, Apple Journal, WordPress, Ghost, Journiv, Substack, Medium, or a
          folder of Markdown or text files with dates. You see first what it would do. Posts become drafts.
        </p>
      </div>
      {state === null && <Choice onChoose={start} />}
      {state?.step === 'refused' && (
        <>
          <p role="alert" className="text-sm text-bad">
            {state.reason}
          </p>
          <Choice onChoose={start} />
        </>
      )}
      {state?.step === 'reading' && (
        <Working text="Reading the file" done={state.done} of={state.of} onCancel={stop} />
      )}
      {state?.step === 'comparing' && (
        <Working
          text="Comparing with what you have"
          pause={state.pause}
          onSignedIn={goOnSignedIn}
          onCancel={stop}
        />
      )}
      {state?.step === 'preview' && <Preview result={state.result} onImport={apply} onCancel={stop} />}
      {state?.step === 'importing' && (
        <Working
          text="Importing. You can leave this page, but keep the tab open"
          unit="texts"
          done={state.done}
          of={state.of}
          pause={state.pause}
          onSignedIn={goOnSignedIn}
          onCancel={stop}
        />
      )}
      {state?.step === 'done' && <Summary result={state.result} onClose={stop} />}
    </section>
  )
}

/** A file, several files, or a folder. */
function Choice({ onChoose }: { onChoose: (files: ChosenFile[]) => void }) {
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = Array.from(target.files ?? [], (file) => ({
      name: file.webkitRelativePath || file.name,
      blob: file,
    }))
    // The same file may be chosen again.
    target.value = ''
    if (files.length > 0) onChoose(files)
  }
  return (
    <div className="flex flex-wrap gap-3">
      <ChoiceButton text="Choose files" onChange={choose} />
      <ChoiceButton text="Choose a folder" isFolder onChange={choose} />
    </div>
  )
}

interface ChoiceButtonProps {
  text: string
  isFolder?: boolean
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
}

const ChoiceButton = ({ text, isFolder = false, onChange }: ChoiceButtonProps) => (
  <label
    className={cx(buttonClass('quiet'), 'cursor-pointer focus-within:outline-2 focus-within:outline-lamp')}
  >
    {text}
    <input
      type="file"
      multiple
      // React knows this attribute by no property.
      {...(isFolder && { webkitdirectory: '' })}
      className="sr-only"
      onChange={onChange}
    />
  </label>
)

interface WorkingProps {
  text: string
  unit?: string
  done?: number
  /** Zero while nobody knows. */
  of?: number
  pause?: Pause | null
  onSignedIn?: () => void
  onCancel: () => void
}

const pauses: Record<Pause, string> = {
  offline: 'There is no connection. The import goes on by itself when it is back.',
  busy: 'The server asks to wait a moment. The import goes on by itself.',
  'signed-out': 'Your session has ended. Sign in again, and the import goes on.',
}

function Working({ text, unit, done = 0, of = 0, pause = null, onSignedIn, onCancel }: WorkingProps) {
  const [asksPasscode, setAsksPasscode] = useState(false)
  return (
    <div className="flex flex-col gap-3">
      <label className="flex flex-col gap-1 text-sm">
        <span>
          {text}
          {of > 0 && `: ${count(done)} of ${count(of)}${unit === undefined ? '' : ` ${unit}`}`}
        </span>
        <progress
          className="h-2 w-full appearance-none overflow-hidden rounded-full bg-sunk [&::-moz-progress-bar]:bg-lamp [&::-webkit-progress-bar]:bg-sunk [&::-webkit-progress-value]:bg-lamp"
          {...(of > 0 && { value: done, max: of })}
        />
      </label>
      <output className="text-sm text-warn empty:hidden">{pause !== null && pauses[pause]}</output>
      <div className="flex flex-wrap gap-3">
        {pause === 'signed-out' && <Button onClick={() => setAsksPasscode(true)}>Sign in again</Button>}
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
      {asksPasscode && (
        <SignInAgainDialog onSignedIn={() => onSignedIn?.()} onClose={() => setAsksPasscode(false)} />
      )}
    </div>
  )
}

interface PreviewProps {
  result: ImportResult
  onImport: () => void
  onCancel: () => void
}

function Preview({ result, onImport, onCancel }: PreviewProps) {
  const { format, writes } = result
  const kinds = kindsOf(writes)
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm">
        It comes from {formatNames[format]}.{' '}
        {kinds === '' ? 'There is nothing to import: nothing of it is new.' : `An import writes ${kinds}.`}
      </p>
      <ImportCountsList result={result} />
      <div className="flex flex-wrap gap-3">
        {kinds !== '' && <Button onClick={onImport}>Import</Button>}
        <SaveReport result={result} />
        <Button variant="quiet" onClick={onCancel}>
          {kinds === '' ? 'Close' : 'Cancel'}
        </Button>
      </div>
    </div>
  )
}

function Summary({ result, onClose }: { result: ImportResult; onClose: () => void }) {
  const { writes } = result
  const kinds = kindsOf(writes)
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="text-sm">
        {kinds === ''
          ? 'The import is over. It has written nothing.'
          : `The import is over. It has written ${kinds}.`}
      </p>
      <ImportCountsList result={result} />
      <div className="flex flex-wrap items-center gap-3">
        <SaveReport result={result} />
        <Button variant="quiet" onClick={onClose}>
          Close
        </Button>
        {places.map(
          ({ kind, path, name }) =>
            writes[kind] > 0 && (
              <Link key={kind} href={path} className={buttonClass('link', 'text-sm')}>
                {name}
              </Link>
            ),
        )}
      </div>
    </div>
  )
}

const places = [
  { kind: 'diary', path: '/diary', name: 'Your diary' },
  { kind: 'calendar', path: '/calendar', name: 'Your calendar' },
  { kind: 'draft', path: '/writing', name: 'Your drafts' },
  { kind: 'document', path: '/writing?list=documents', name: 'Your documents' },
] as const

const SaveReport = ({ result: { report } }: { result: ImportResult }) => (
  <Button variant="quiet" onClick={() => downloadFile(report, 'import-report.txt')}>
    Save report
  </Button>
)

const units = {
  diary: ['day of your diary', 'days of your diary'],
  calendar: ['day of your calendar', 'days of your calendar'],
  draft: ['draft', 'drafts'],
  document: ['document', 'documents'],
} as const

/** Such as '2 days of your diary and 1 draft'. */
const kindsOf = (writes: ImportResult['writes']): string =>
  list.format(
    Object.entries(units).flatMap(([kind, [one, many]]) => {
      const number = writes[kind as keyof typeof units]
      return number === 0 ? [] : [`${count(number)} ${number === 1 ? one : many}`]
    }),
  )

const list = new Intl.ListFormat('en-US')
const count = (number: number) => number.toLocaleString('en-US')
