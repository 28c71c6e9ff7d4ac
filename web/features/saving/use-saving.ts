import { useEffect, useRef, useState } from 'react'
import { fileName } from '#contract/saving/file-name.ts'
import { RequestError } from '#web/lib/request.ts'
import { downloadFile, downloadFrom } from '#web/lib/download.ts'
import { useToast } from '#web/ui/toasts.tsx'
import type { Format, SaveAsProps } from './formats.ts'
import { makeFile } from './make-file.ts'
import { gapsToast } from './pdf-of.ts'

/**
 * Reads the text, makes its file and downloads it, one file at a time. A failure is a toast. A person who leaves the page gets no
 * file afterwards.
 */
export function useSaving({ what, read, addresses }: SaveAsProps) {
  const [isBusy, setIsBusy] = useState(false)
  const [progress, setProgress] = useState<{ text: string; share: number | undefined }>()
  const working = useRef<AbortController>(null)
  const toast = useToast()
  useEffect(() => () => working.current?.abort(), [])

  const reset = () => {
    setIsBusy(false)
    setProgress(undefined)
  }
  const save = async (format: Format) => {
    const address = addresses?.[format]
    if (address !== undefined) return downloadFrom(address)
    const { signal } = (working.current = new AbortController())
    const work = {
      signal,
      onProgress: (text: string, share?: number) => {
        if (!signal.aborted) setProgress({ text, share })
      },
    }
    setIsBusy(true)
    try {
      const text = await read(work)
      const { file, placeholders } = await makeFile(text, format, work)
      if (signal.aborted) return
      downloadFile(file, fileName(text.fileTitle, 'text', format))
      if (placeholders > 0) toast(gapsToast(placeholders))
    } catch (error) {
      if (signal.aborted) return
      console.error(`Failed to save ${what}`, error)
      const refusal = error instanceof RequestError ? error.error : null
      const description = refusal ?? 'Check the connection and try again.'
      toast({ title: `${capitalize(what)} could not be saved`, description, tone: 'destructive' })
    }
    reset()
  }
  const cancel = () => {
    working.current?.abort()
    reset()
  }
  return { save, isBusy, progress, cancel }
}

const capitalize = (what: string) => what.charAt(0).toUpperCase() + what.slice(1)
