import { type FormEvent, useId, useState } from 'react'
import { closeAbuseReport, listAbuseReports } from '#contract/abuse-reports/endpoints.ts'
import {
  type AbuseReport,
  noteMaxLength,
  type ReportOutcome,
  reportOutcomes,
} from '#contract/abuse-reports/report.ts'
import { outcomeNames } from '#web/features/abuse-reports/index.ts'
import { useSession } from '#web/features/account/index.ts'
import { sentenceOf, useAction } from '#web/lib/api.ts'
import { useDraftedText } from '#web/lib/editor/use-drafted-text.ts'
import { emptyDraft } from '#web/lib/editor/use-editor.ts'
import { submitOnCtrlEnter } from '#web/lib/send-keys.ts'
import { guestId } from '#web/lib/session-storage.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'

interface CloseReportDialogProps {
  report: AbuseReport
  /** Another admin has closed the report. */
  onOutdated: () => void
  onDone: () => void
}

/** Asks for the outcome and a note, and closes the report. The typed note is kept until the server has it. */
export function CloseReportDialog({
  report: { id, kind, copy, status, closedBy },
  onOutdated,
  onDone,
}: CloseReportDialogProps) {
  const { user } = useSession()
  const { run } = useAction(closeAbuseReport, { refreshes: [listAbuseReports] })
  const toast = useToast()
  const formId = useId()
  const [outcome, setOutcome] = useState<ReportOutcome | null>(null)
  const [isIncomplete, setIsIncomplete] = useState(false)
  const close = (note: string) => run({ params: { id }, input: { outcome: outcome!, note } })
  const { editor, isTooLong, field } = useDraftedText({
    owner: user?.id ?? guestId(),
    place: `report-note/${id}`,
    maxLength: noteMaxLength,
    save: async (note) => {
      await close(note)
      return emptyDraft
    },
  })

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (editor.state === 'saving' || isTooLong || status === 'closed') return
    if (outcome === null) return setIsIncomplete(true)
    if (!(await editor.save())) return onOutdated()
    toast({ title: 'The report is closed.' })
    onDone()
  }
  return (
    <Dialog
      onClose={onDone}
      title="Close this report"
      description={`${kind === 'person' ? copy.authorName : `A ${kind} of ${copy.authorName}`}. Outcome and note are written to the audit log.`}
      actions={
        <Button
          type="submit"
          form={formId}
          busy={editor.state === 'saving'}
          disabled={isTooLong || status === 'closed'}
        >
          Close report
        </Button>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => void send(event)}
        onKeyDown={submitOnCtrlEnter}
        className="flex flex-col gap-5"
      >
        <div>
          <RadioGroup
            legend="Outcome"
            options={reportOutcomes.map((value) => ({ value, label: outcomeNames[value] }))}
            value={outcome}
            onChange={setOutcome}
          />
          <p role="alert" className="mt-1.5 text-sm font-medium text-bad empty:hidden">
            {isIncomplete && outcome === null && 'Please choose an outcome.'}
          </p>
        </div>
        <TextArea label="Note (optional)" {...field} />
        <p role="alert" className="text-sm font-medium text-bad empty:hidden">
          {editor.state === 'failed' &&
            (status === 'closed'
              ? `${closedBy ?? 'Another admin'} has closed this report.`
              : sentenceOf(
                  editor.error,
                  'The report could not be closed. Your note is still here. Check the connection and try again.',
                ))}
        </p>
      </form>
      <TwoTexts editor={editor} />
    </Dialog>
  )
}
