import { FileArchive } from 'lucide-react'
import { useId, useRef } from 'react'
import { type ArchivePart, archiveParts } from '#contract/archive/parts.ts'
import { SignInAgainDialog } from '#web/features/account/index.ts'
import { Button } from '#web/ui/Button.tsx'
import type { Exporter } from './export-archive.ts'
import { useExport } from './use-export.ts'

/** Makes one ZIP with everything of the person, in this browser. */
export function Export({ by }: { by: Exporter }) {
  const { state, start, cancel, signedIn, signInClosed } = useExport(by)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const isRunning = state.name === 'running'
  const returnFocus = (gone: Element | null) => {
    if (document.activeElement === gone) button.current?.focus()
  }
  return (
    <section aria-labelledby={id} className="flex flex-col items-start gap-3">
      <h3 id={id} className="text-lg">
        Export
      </h3>
      <p className="text-sm text-ink-soft">
        One ZIP file with everything of yours: your diary and calendar, posts with their earlier texts,
        drafts, documents, the stories you wrote in, conversations, friends, settings, notifications, and what
        you keep to read. Your texts are plain files that any editor opens. What you have typed and not saved
        yet is not in it.
      </p>
      <Button ref={button} busy={isRunning} onClick={() => void start()}>
        {!isRunning && <FileArchive aria-hidden className="size-4" />}
        Export everything
      </Button>
      {isRunning && (
        <div className="flex w-full flex-wrap items-end gap-x-4 gap-y-3">
          <Progress {...state} />
          <Button variant="quiet" ref={(cancelling) => () => returnFocus(cancelling)} onClick={cancel}>
            Cancel
          </Button>
        </div>
      )}
      <output className="text-sm empty:hidden">
        {state.name === 'done' && <>Exported. The file has {counted(state.files)}.</>}
        {state.name === 'failed' && <span className="text-bad">{state.reason}</span>}
        {isRunning && state.waitSeconds !== null && (
          <>
            The server asks for a pause. The export goes on in{' '}
            {state.waitSeconds === 1 ? 'a second' : `${state.waitSeconds} seconds`}.
          </>
        )}
      </output>
      {isRunning && state.asksToSignIn && <SignInAgainDialog onSignedIn={signedIn} onClose={signInClosed} />}
    </section>
  )
}

function Progress({ part, files }: { part: ArchivePart; files: number }) {
  return (
    <label className="flex max-w-80 min-w-0 flex-1 flex-col gap-2 text-sm">
      {part}: {counted(files)}
      <progress
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-sunk [&::-moz-progress-bar]:bg-lamp [&::-webkit-progress-bar]:bg-sunk [&::-webkit-progress-value]:bg-lamp"
        value={archiveParts.indexOf(part)}
        max={archiveParts.length}
      />
    </label>
  )
}

const counted = (files: number) => (files === 1 ? '1 file' : `${files.toLocaleString('en-US')} files`)
