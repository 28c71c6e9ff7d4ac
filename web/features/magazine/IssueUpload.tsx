import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { getCurrentIssue, uploadIssue } from '#contract/magazine/endpoints.ts'
import { issueMaxBytes, pdfOnly, pdfType } from '#contract/magazine/issue.ts'
import { queryKeyOf, sentenceOf } from '#web/lib/api.ts'
import { randomId } from '#web/lib/session-keys.ts'
import { useUpload } from '#web/lib/use-upload.ts'
import { Button } from '#web/ui/Button.tsx'
import { FileField } from '#web/ui/FileField.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { UploadProgress } from '#web/ui/UploadProgress.tsx'

const failed = 'Failed to upload litmag'
const tooLarge = 'This file is larger than 20 MB.'

/** Adds an issue of the magazine. After a failure the chosen file stays chosen. */
export function IssueUpload() {
  const input = useRef<HTMLInputElement>(null)
  // One key for each chosen file: an upload whose answer was lost is not added a second time.
  const key = useRef('')
  const [error, setError] = useState('')
  const upload = useUpload(uploadIssue)
  const client = useQueryClient()
  const toast = useToast()

  const refuse = (sentence: string) => {
    setError(sentence)
    toast({ title: sentence, tone: 'destructive' })
    input.current?.focus()
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const file = input.current?.files?.[0]
    if (upload.share !== null) return
    if (file === undefined || !(await isPdf(file))) return refuse(pdfOnly)
    if (file.size > issueMaxBytes) return refuse(tooLarge)
    try {
      const issue = await upload.run(declared(file), (key.current ||= randomId()))
      if (issue === null) return
      client.setQueryData(queryKeyOf(getCurrentIssue), issue)
      toast({ title: 'Litmag uploaded successfully!' })
      if (input.current?.files?.[0] === file) input.current.value = ''
      key.current = ''
    } catch (reason) {
      console.error(failed, reason)
      const why = sentenceOf(reason, 'Check the connection.')
      if (why === pdfOnly) refuse(pdfOnly)
      else
        toast({
          title: failed,
          description: `${why} The file is still chosen.`,
          tone: 'destructive',
        })
    }
  }

  const cancel = () => {
    upload.cancel()
    input.current?.focus()
  }

  return (
    <form
      className="flex flex-col gap-4 border-t border-line pt-5"
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <FileField
        ref={input}
        accept={`${pdfType},.pdf`}
        label="New issue"
        hint="A PDF of at most 20 MB. It becomes the current issue for everybody."
        error={error}
        onChange={() => {
          setError('')
          key.current = ''
        }}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" busy={upload.share !== null}>
          Upload PDF
        </Button>
        <UploadProgress share={upload.share} onCancel={cancel} />
      </div>
    </form>
  )
}

/** Some systems do not know the type of a PDF: the start of the file decides. */
const isPdf = async (file: File) => /\.pdf$/i.test(file.name) && (await file.slice(0, 5).text()) === '%PDF-'

const declared = (file: File) =>
  file.type === pdfType ? file : new File([file], file.name, { type: pdfType })
