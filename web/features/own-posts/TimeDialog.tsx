import type { FormEvent } from 'react'
import type { ScheduledPost } from '#contract/feed/scheduled/endpoints.ts'
import { DayAndTimeFields, usePublishTime } from '#web/features/posts/index.ts'
import { sentenceOf } from '#web/lib/api.ts'
import { RequestError } from '#web/lib/request.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useChangeTime } from './use-scheduled-posts.tsx'

interface TimeDialogProps {
  post: ScheduledPost
  line: string
  onClose: () => void
}

export function TimeDialog({ post: { id, publishAt }, line, onClose }: TimeDialogProps) {
  const time = usePublishTime(publishAt)
  const change = useChangeTime()
  const refusal = change.error instanceof RequestError ? change.error.fields['publishAt'] : undefined
  const form = `time-of-${id}`
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (time.publishAt === null || time.error !== undefined) return
    const changed = await change.attempt({ params: { id }, input: { publishAt: time.publishAt } })
    if (changed !== undefined) onClose()
  }
  return (
    <Dialog
      onClose={onClose}
      title="Change time"
      description={line}
      size="field"
      actions={
        <Button
          type="submit"
          form={form}
          disabled={time.error !== undefined}
          busy={change.status === 'running'}
        >
          Save
        </Button>
      }
    >
      <form id={form} onSubmit={(event) => void save(event)}>
        <DayAndTimeFields time={time} refusal={refusal} />
        <p role="alert" className="mt-2 text-sm font-medium text-bad empty:hidden">
          {change.status === 'failed' &&
            refusal === undefined &&
            sentenceOf(change.error, 'The time could not be changed. Please try again.')}
        </p>
      </form>
    </Dialog>
  )
}
