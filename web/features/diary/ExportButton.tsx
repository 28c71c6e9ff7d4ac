import { FileDown } from 'lucide-react'
import { useRef, useState } from 'react'
import { paperDate } from '#contract/diary/dates.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { gapsToast, pdfOf } from '#web/features/saving/index.ts'
import { downloadFile } from '#web/lib/download.ts'
import { Button } from '#web/ui/Button.tsx'
import { useToast } from '#web/ui/toasts.tsx'

/** Makes `my-diary.pdf` of all saved days, in this browser. */
export function ExportButton({ entries }: { entries: DiaryEntry[] }) {
  const [done, setDone] = useState<number>()
  const work = useRef<AbortController>(null)
  const toast = useToast()

  const start = async () => {
    work.current = new AbortController()
    setDone(0)
    try {
      const { file, placeholders } = await pdfOf(
        'My Diary',
        entries.map(({ entry_date, content }) => ({ heading: paperDate(entry_date), content })),
        { onProgress: setDone, signal: work.current.signal },
      )
      downloadFile(file, 'my-diary.pdf')
      if (placeholders > 0) toast(gapsToast(placeholders))
    } catch (error) {
      if (work.current.signal.aborted) return
      console.error('Failed to export the diary', error)
      toast({ title: 'Error', description: 'The diary could not be exported.', tone: 'destructive' })
    } finally {
      setDone(undefined)
    }
  }
  return (
    <div className="flex items-center gap-3">
      {done === undefined ? (
        <Button className="max-sm:px-3" disabled={entries.length === 0} onClick={() => void start()}>
          <FileDown aria-hidden className="size-4 max-[23.5rem]:hidden" />
          Export to PDF
        </Button>
      ) : (
        <>
          <label className="flex flex-col gap-1 text-sm">
            {done} of {entries.length} entries
            <progress value={done} max={entries.length} />
          </label>
          <Button variant="quiet" onClick={() => work.current?.abort()}>
            Cancel
          </Button>
        </>
      )}
    </div>
  )
}
