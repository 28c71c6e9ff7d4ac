import { type FormEvent, useState } from 'react'
import {
  getSuspension,
  liftSuspension,
  suspendPerson,
  type Suspension,
} from '#contract/account/suspensions/endpoints.ts'
import { listModeratedPeople } from '#contract/account/moderators/endpoints.ts'
import { suspensionReasonMax } from '#contract/account/suspensions/rules.ts'
import { countAdminUsers, listAdminUsers, listAuditEntries } from '#contract/admin/endpoints.ts'
import { isBlank } from '#contract/text.ts'
import { useSession, useSignInAgain } from '#web/features/account/index.ts'
import { sentenceOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { timeOfDay } from '#web/lib/locale.ts'
import { fieldOf } from '#web/lib/editor/use-drafted-text.ts'
import { useEditor } from '#web/lib/editor/use-editor.ts'
import { serverNow } from '#web/lib/server-clock.ts'
import { guestId } from '#web/lib/session-keys.ts'
import { useConfirm } from '#web/ui/alerts.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { NotReady } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { endOf, type SuspensionChoices } from './end-choice.ts'
import { SuspendedUntil } from './SuspendedUntil.tsx'
import { SuspensionFields } from './SuspensionFields.tsx'

interface SuspendDialogProps {
  person: { id: string; name: string }
  onClose: () => void
}

/** Suspends a person, or changes or lifts the suspension. */
export function SuspendDialog({ person, onClose }: SuspendDialogProps) {
  const suspension = useEndpoint(getSuspension, { params: { id: person.id }, staleTime: 0 })
  return (
    <Dialog
      title={
        <>
          {suspension.data ? 'Suspension of' : 'Suspend'} <bdi>{person.name}</bdi>
        </>
      }
      description="All sessions end at once. The person reads the reason and the end at sign-in."
      onClose={onClose}
    >
      {suspension.status === 'ready' ? (
        <SuspendForm person={person} suspension={suspension.data} onClose={onClose} />
      ) : (
        <NotReady of={suspension} what="The suspension" waiting={<Skeleton className="h-96" />} />
      )}
    </Dialog>
  )
}

const refreshes = [getSuspension, listAdminUsers, countAdminUsers, listModeratedPeople, listAuditEntries]

interface SuspendFormProps extends SuspendDialogProps {
  suspension: Suspension | null
}

function SuspendForm({ person: { id, name }, suspension, onClose }: SuspendFormProps) {
  const { user } = useSession()
  const toast = useToast()
  const confirm = useConfirm()
  const suspending = useAction(suspendPerson, { refreshes })
  const lifting = useAction(liftSuspension, { refreshes })
  const [choices, setChoices] = useState<SuspensionChoices>({
    end: suspension === null ? '7' : 'kept',
    day: '',
    hidesTexts: suspension?.hidesTexts ?? false,
  })
  const { hidesTexts } = choices
  const [isIncomplete, setIsIncomplete] = useState(false)
  const params = { id }
  const kept = suspension?.until ?? null
  const end = endOf({ ...choices, kept, now: new Date(serverNow()) })
  const editor = useEditor({
    owner: user?.id ?? guestId(),
    place: `suspension/${id}`,
    stored: { text: suspension?.reason ?? '', version: null },
    save: async (reason) => {
      if ('error' in end) throw new Error(end.error)
      const saved = await suspending.run({ params, input: { reason, until: end.until, hidesTexts } })
      return { text: saved.reason, version: null }
    },
  })
  const { isTooLong, field } = fieldOf(editor, suspensionReasonMax)
  const lacksReason = isBlank(editor.text)
  const isBusy = editor.state === 'saving' || lifting.status === 'running'
  const done = (title: string) => {
    toast({ title })
    onClose()
  }

  const send = async () => {
    if (isBusy || isTooLong || editor.state === 'loading') return
    setIsIncomplete(lacksReason || 'error' in end)
    if (lacksReason || 'error' in end) return
    const isSure = await confirm({
      text: `Suspend ${name} ${end.until === null ? 'for good' : `until ${timeOfDay(end.until, dayFormat)}`}? ${hidesTexts ? 'Nobody can read their texts meanwhile.' : 'Their texts stay.'}`,
      verb: 'Suspend',
      danger: true,
    })
    if (!isSure) return
    lifting.reset()
    if (await editor.save()) done(`${name} is suspended.`)
  }
  const lift = async () => {
    if (await lifting.attempt({ params })) done(`The suspension of ${name} is lifted.`)
  }
  // `send` forgets a failed lift, so that this is the state of what was pressed last.
  const { state, error } =
    lifting.status === 'idle'
      ? editor
      : { state: lifting.error ? ('failed' as const) : ('saving' as const), error: lifting.error }
  const signInAgain = useSignInAgain({ state, error }, () => void (lifting.error ? lift() : send()))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send()
  }
  return (
    <>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5 text-sm">
        {suspension && (
          <div className="flex flex-wrap items-center justify-between gap-3 rounded-md bg-sunk px-4 py-3">
            <p>
              Suspended <SuspendedUntil until={suspension.until} />
            </p>
            <Button variant="quiet" busy={lifting.status === 'running'} onClick={() => void lift()}>
              Lift the suspension
            </Button>
          </div>
        )}
        <TextArea
          label="Reason, which the person reads"
          dir="auto"
          {...field}
          error={isIncomplete && lacksReason ? 'Please write a reason.' : field.error}
        />
        <SuspensionFields
          name={name}
          choices={choices}
          end={end}
          mayStay={suspension !== null}
          isIncomplete={isIncomplete}
          onChange={(changed) => setChoices({ ...choices, ...changed })}
        />
        <p role="alert" className="font-medium text-bad empty:hidden">
          {state === 'failed' && sentenceOf(error, failed)}
        </p>
        <div className="flex flex-wrap items-center justify-end gap-3">
          <span className="me-auto">{signInAgain.button}</span>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant="danger"
            busy={editor.state === 'saving'}
            disabled={isBusy || isTooLong}
          >
            {suspension ? 'Change' : 'Suspend'}
          </Button>
        </div>
        <TwoTexts editor={editor} />
      </form>
      {signInAgain.dialog}
    </>
  )
}

const failed = 'Nothing was changed. Your reason is still here. Check the connection and try again.'

const dayFormat = { year: 'numeric', month: 'short', day: 'numeric' } as const
