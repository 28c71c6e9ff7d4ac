import { BadgeCheck, Download, ShieldAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import { notProved, proved, type Sentences } from '#contract/rooms/credit/sentences.ts'
import { verifyFile } from '#contract/rooms/credit/paths.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { FileField } from '#web/ui/FileField.tsx'
import { verifyFiles } from './verify-files.ts'

type State = 'idle' | 'verifying' | Sentences

/** Verifies the seal and the receipt of a story on this device. */
export function VerifyPage() {
  usePageTitle('Verify a story')
  const [state, setState] = useState<State>('idle')
  const [isOver, setIsOver] = useState(false)
  const runs = useRef(0)
  const check = async (files: readonly File[]) => {
    if (files.length === 0) return
    const run = ++runs.current
    setState('verifying')
    const sentences = await verifyFiles(files)
    // Files that were chosen later have their own answer.
    if (run === runs.current) setState(sentences)
  }
  return (
    <article aria-labelledby="page-name" className="flex flex-col gap-6 *:max-w-reading">
      <header className="flex flex-col gap-2">
        <h1 id="page-name" className="text-2xl">
          Verify a story
        </h1>
        <p className="text-ink-soft">
          A finished story has a seal: a file that proves its text, its order and its hands. The files stay on
          this device.
        </p>
      </header>
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setIsOver(false)
          void check([...event.dataTransfer.files])
        }}
        className={cx(
          'rounded-lg border-2 border-dashed p-5',
          isOver ? 'border-lamp bg-surface' : 'border-edge',
        )}
      >
        <FileField
          label="Choose or drop a seal, a receipt, or both"
          hint="The book (EPUB) of a story has its seal inside."
          multiple
          accept=".json,.epub"
          // The same file may be chosen again, for example after it was changed.
          onClick={({ currentTarget }) => (currentTarget.value = '')}
          onChange={({ target }) => void check([...(target.files ?? [])])}
        />
      </div>
      <div role="status">
        {state === 'verifying' && <p className="text-ink-soft">Verifying…</p>}
        {typeof state === 'object' && <Verdict of={state} />}
      </div>
      <Explanation />
    </article>
  )
}

function Verdict({ of: { isVerified, heading, lines } }: { of: Sentences }) {
  const Icon = isVerified ? BadgeCheck : ShieldAlert
  return (
    <section
      aria-labelledby="verdict"
      className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-5"
    >
      <h2
        id="verdict"
        className={cx('flex items-center gap-2 text-xl', isVerified ? 'text-good' : 'text-bad')}
      >
        <Icon aria-hidden className="size-6 shrink-0" />
        {heading}
      </h2>
      {lines.map((line) => (
        <p key={line} dir="auto" className="wrap-anywhere">
          {line}
        </p>
      ))}
    </section>
  )
}

function Explanation() {
  return (
    <>
      <List title="What a seal proves" sentences={proved} />
      <List title="What it cannot prove" sentences={notProved} />
      <p className="text-ink-soft">Stories that are older than the seals have no proof.</p>
      <div className="flex flex-col gap-2">
        <a href={verifyFile} download="zimmer-verify.html" className={buttonClass('quiet', 'w-fit')}>
          <Download aria-hidden className="size-4" />
          Save this check as a file
        </a>
        <p className="text-sm text-ink-soft">
          The file works without a network, also when this server is gone.
        </p>
      </div>
    </>
  )
}

function List({ title, sentences }: { title: string; sentences: readonly string[] }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h2 className="text-xl">{title}</h2>
      <ul className="flex list-disc flex-col gap-1 ps-5">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  )
}
