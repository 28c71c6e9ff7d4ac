import type { ReactNode } from 'react'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { type BatchReport, countOfPosts } from './use-batches.ts'

interface BulkBarProps {
  ids: readonly string[]
  selected: readonly string[]
  onSelect: (ids: ReadonlySet<string>) => void
  progress: { done: number; all: number } | null
  report: BatchReport | null
  /** What happened to the posts that changed, such as 'approved'. */
  changedTo: string
  onTryAgain: () => void
  children: ReactNode
}

/** A checkbox for all posts and the buttons for the selected ones. After a failure a line says what changed before it. */
export function BulkBar({
  ids,
  selected,
  onSelect,
  progress,
  report,
  changedTo,
  onTryAgain,
  children,
}: BulkBarProps) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 rounded-lg bg-sunk px-4 py-2">
        <Checkbox
          label="Select all"
          checked={ids.length > 0 && selected.length === ids.length}
          ref={(box) => {
            if (box) box.indeterminate = selected.length > 0 && selected.length < ids.length
          }}
          onChange={(event) => onSelect(new Set(event.target.checked ? ids : []))}
        />
        {children}
        {progress !== null && (
          <label className="flex items-center gap-2 text-sm text-ink-soft">
            {progress.done} of {progress.all}
            <progress value={progress.done} max={progress.all} className="w-32 accent-lamp" />
          </label>
        )}
      </div>
      {report !== null && report.failure !== null && (
        <div>
          {report.changed > 0 && (
            <output className="text-sm">{`${countOfPosts(report.changed)} ${changedTo} before that.`}</output>
          )}
          {selected.length > 0 ? (
            <QuietLine text={report.failure} onTryAgain={onTryAgain} />
          ) : (
            <output className="block py-1 text-sm text-ink-soft">{report.failure}</output>
          )}
        </div>
      )}
    </>
  )
}
