import { type FormEvent, useId, useState } from 'react'
import { reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { reasonMaxLength, reportCategories, type ReportCategory } from '#contract/abuse-reports/report.ts'
import { isBlank } from '#contract/text.ts'
import { useSession, useSignInAgain } from '#web/features/account/index.ts'
import { sentenceOf, useAction } from '#web/lib/api.ts'
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
import type { Reported } from './use-report.tsx'
import { categoryNames } from './words.ts'

interface ReportDialogProps {
  reported: Reported
  onClose: () => void
}

/** Says what the admins get, asks what is wrong, and sends the report. The typed text is kept until the server has it. */
export function ReportDialog({ reported: { kind, id }, onClose }: ReportDialogProps) {
  const { user } = useSession()
  const { run } = useAction(reportAbuse)
  const toast = useToast()
  const formId = useId()
  const [category, setCategory] = useState<ReportCategory | null>(null)
  const [isIncomplete, setIsIncomplete] = useState(false)
  const { editor, isTooLong, field } = useDraftedText({
    owner: user?.id ?? guestId(),
    place: `report/${kind}/${id}`,
    maxLength: reasonMaxLength,
    save: async (reason) => {
      const { isNew } = await run({ input: { kind, targetId: id, category: category!, reason } })
      if (!isNew) throw new ReportedAlready()
      return nothingStored
    },
  })
  const isBlankReason = isBlank(editor.text)

  const send = async () => {
    if (editor.state === 'saving' || isTooLong) return
    if (category === null || isBlankReason) return setIsIncomplete(true)
    if (!(await editor.save())) return
    toast({ title: 'Thank you. The admins and moderators have your report.' })
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send()
  }
  const signInAgain = useSignInAgain(editor, () => void send())
  return (
    <Dialog
      onClose={onClose}
      title={`Report this ${kind}`}
      description={
        kind === 'person'
          ? 'Admins and moderators get the name and introduction of this person, what you write here and your name. The person is not told.'
          : `Admins and moderators get a copy of this ${kind}, what you write here and your name. The author is not told.`
      }
      actions={
        <Button type="submit" form={formId} busy={editor.state === 'saving'} disabled={isTooLong}>
          Send report
        </Button>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={submit}
        onKeyDown={submitOnCtrlEnter}
        className="flex flex-col gap-5"
      >
        <div>
          <RadioGroup
            legend="What is wrong?"
            options={reportCategories.map((value) => ({ value, label: categoryNames[value] }))}
            value={category}
            onChange={setCategory}
          />
          <p role="alert" className="mt-1.5 text-sm font-medium text-bad empty:hidden">
            {isIncomplete && category === null && 'Please choose what is wrong.'}
          </p>
        </div>
        <TextArea
          label="What should admins and moderators know?"
          {...field}
          error={field.error ?? (isIncomplete && isBlankReason ? 'Please say what is wrong.' : undefined)}
        />
        <p role="alert" className="text-sm font-medium text-bad empty:hidden">
          {editor.state === 'failed' && reasonOf(editor.error)}
        </p>
        <div className="flex empty:hidden">{signInAgain.button}</div>
      </form>
      <TwoTexts editor={editor} />
      {signInAgain.dialog}
    </Dialog>
  )
}

/** The first report is still open, and the server has stored nothing of this one. */
class ReportedAlready extends Error {}

const reasonOf = (error: unknown) =>
  error instanceof ReportedAlready
    ? 'You have reported this already. The admins and moderators have your first report.'
    : sentenceOf(
        error,
        'The report could not be sent. Your text is still here. Check the connection and try again.',
      )
