import { type FormEvent, useId, useState } from 'react'
import { answerOf } from '#contract/abuse-reports/answer.ts'
import {
  type AbuseReport,
  actionsOf,
  noteMaxLength,
  outcomeOf,
  type Removal,
  type ReportOutcome,
  reportOutcomes,
} from '#contract/abuse-reports/report.ts'
import { outcomeNames } from '#web/features/abuse-reports/index.ts'
import { useSession, useSignInAgain } from '#web/features/account/index.ts'
import { sentenceOf } from '#web/lib/api.ts'
import { useDraftedText } from '#web/lib/editor/use-drafted-text.ts'
import { nothingStored } from '#web/lib/editor/use-editor.ts'
import { submitOnCtrlEnter } from '#web/lib/send-shortcuts.ts'
import { guestId } from '#web/lib/session-keys.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { useCloseReport } from './api.ts'
import { AuthorFields } from './AuthorFields.tsx'
import { RemovalFields } from './RemovalFields.tsx'
import { headingIdOf, reportedThing } from './ReportRow.tsx'
import { useAuthorActions } from './use-author-actions.ts'

interface CloseReportDialogProps {
  report: AbuseReport
  /** Another admin has closed the report, or what was reported has changed. */
  onOutdated: () => void
  onDone: () => void
}

/**
 * Asks what to do with the reported thing and its author, and closes the report. Without an action it asks for the outcome.
 * The typed texts are kept until the server has them.
 */
export function CloseReportDialog({ report, onOutdated, onDone }: CloseReportDialogProps) {
  const { id, kind, status, closedBy } = report
  const { user } = useSession()
  const owner = user?.id ?? guestId()
  const { run } = useCloseReport()
  const toast = useToast()
  const formId = useId()
  const [chosenRemoval, setRemoval] = useState<Removal | 'none'>('none')
  const [isSure, setIsSure] = useState(false)
  const [chosenOutcome, setOutcome] = useState<ReportOutcome | null>(null)
  const [isIncomplete, setIsIncomplete] = useState(false)
  const author = useAuthorActions(owner, id)

  const removal = chosenRemoval === 'none' ? undefined : chosenRemoval
  const actions = actionsOf({
    removal,
    warning: author.warns || undefined,
    suspension: author.suspends || undefined,
  })
  const outcome = outcomeOf(actions) ?? chosenOutcome
  const close = async (note: string) => {
    const input = { outcome: outcome!, note, ...(removal && { removal }), ...author.input }
    await run({ params: { id }, input })
    return nothingStored
  }
  const { editor, isTooLong, field } = useDraftedText({
    owner,
    place: `report-note/${id}`,
    maxLength: noteMaxLength,
    save: close,
  })
  const mayClose = !isTooLong && !author.isTooLong && status === 'open' && (removal !== 'erase' || isSure)

  const send = async () => {
    if (editor.state === 'saving' || !mayClose) return
    if (author.input === undefined || outcome === null) {
      author.askForMissing()
      return setIsIncomplete(true)
    }
    if (!(await editor.save())) return onOutdated()
    await author.forget()
    toast({ title: 'The report is closed.' })
    onDone()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send()
  }
  const signInAgain = useSignInAgain(editor, () => void send())
  return (
    <Dialog
      onClose={onDone}
      // A closed report has no button that closes it.
      focusAfter={() => (status === 'closed' ? document.getElementById(headingIdOf(report)) : null)}
      title="Close this report"
      description={`${reportedThing(report)}. The audit log keeps what you do and the note, not the reported text.`}
      actions={
        <Button
          type="submit"
          form={formId}
          variant={removal === 'erase' || author.suspends ? 'danger' : 'primary'}
          busy={editor.state === 'saving'}
          disabled={!mayClose}
        >
          Close report
        </Button>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={submit}
        onKeyDown={submitOnCtrlEnter}
        className="flex flex-col gap-6 text-sm"
      >
        <RemovalFields
          report={report}
          removal={chosenRemoval}
          isSure={isSure}
          onChange={setRemoval}
          onSure={setIsSure}
        />
        <AuthorFields report={report} of={author} />
        {actions.length === 0 && (
          <div>
            <RadioGroup
              legend="Outcome, which the reporter reads"
              inline
              options={reportOutcomes.map((value) => ({ value, label: outcomeNames[value] }))}
              value={chosenOutcome}
              onChange={setOutcome}
            />
            <p role="alert" className="mt-1.5 font-medium text-bad empty:hidden">
              {isIncomplete && outcome === null && 'Please choose an outcome.'}
            </p>
          </div>
        )}
        <p aria-live="polite" className="text-ink-soft empty:hidden">
          {outcome !== null && `The reporter reads: “${answerOf({ kind, outcome, actions })}”`}
        </p>
        <TextArea label="Note (optional), for admins and moderators" {...field} />
        <p role="alert" className="font-medium text-bad empty:hidden">
          {editor.state === 'failed' &&
            (status === 'closed'
              ? `${closedBy ?? 'Somebody else'} has closed this report.`
              : sentenceOf(
                  editor.error,
                  'The report could not be closed. Your texts are still here. Check the connection and try again.',
                ))}
        </p>
        <div className="flex empty:hidden">{signInAgain.button}</div>
      </form>
      <TwoTexts editor={editor} />
      {signInAgain.dialog}
    </Dialog>
  )
}
