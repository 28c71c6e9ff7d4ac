import { FileDown } from 'lucide-react'
import { useRef, useState } from 'react'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { pdfOf } from '#web/features/saving/index.ts'
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
        entries.map(({ entry_date, content }) => ({ date: entry_date, content })),
        { onProgress: setDone, signal: work.current.signal },
      )
      download(file)
      if (placeholders > 0) {
        toast({
          title: 'Exported with gaps',
          description: `${placeholders} characters have no letter in our fonts and are shown as boxes.`,
        })
      }
    } catch (error) {
      if (work.current.signal.aborted) return
      console.error('Failed to export the diary', error)
      toast({ title: 'Error', description: 'The diary could not be exported.', tone: 'destructive' })
    } finally {
      setDone(undefined)
    }
  }
  return (
    <div className="ms-auto flex items-center gap-3">
      {done === undefined ? (
        <Button disabled={entries.length === 0} onClick={() => void start()}>
          <FileDown aria-hidden className="size-4" />
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

function download(file: Blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = 'my-diary.pdf'
  link.click()
  // The browser has taken the file once the click is over.
  setTimeout(() => URL.revokeObjectURL(link.href))
}
