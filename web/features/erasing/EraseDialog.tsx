import { type FormEvent, useId, useState } from 'react'
import { decisionReasonMax } from '#contract/feed/review/endpoints.ts'
import { firstWordsOf } from '#contract/feed/post.ts'
import { erasedMark } from '#contract/rooms/room.ts'
import { useSession, useSignInAgain } from '#web/features/account/index.ts'
import { codeOf, sentenceOf } from '#web/lib/api.ts'
import { useDraftedText } from '#web/lib/editor/use-drafted-text.ts'
import { nothingStored } from '#web/lib/editor/use-editor.ts'
import { guestId } from '#web/lib/session-keys.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { useErasure } from './api.ts'
import type { Erasable } from './use-erase.tsx'

interface EraseDialogProps {
  text: Erasable
  onErased: (() => void) | undefined
  onClose: () => void
}

/** Names what goes, asks for a reason, and erases once the admin has confirmed it. The typed reason is kept until then. */
export function EraseDialog({ text, onErased, onClose }: EraseDialogProps) {
  const { user } = useSession()
  const erase = useErasure()
  const toast = useToast()
  const formId = useId()
  const [isSure, setIsSure] = useState(false)
  const { name, goes, stays } = words[text.kind]
  const { editor, isTooLong, field } = useDraftedText({
    owner: user?.id ?? guestId(),
    place: `erasure/${text.id}`,
    maxLength: decisionReasonMax,
    save: async (reason) => {
      await erase(text, reason.trim())
      return nothingStored
    },
  })
  const mayErase = isSure && !isTooLong && editor.state !== 'loading'

  const send = async () => {
    if (editor.state === 'saving' || !mayErase) return
    if (!(await editor.save())) return
    toast({ title: `The ${name} is erased.` })
    onClose()
    onErased?.()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send()
  }
  const signInAgain = useSignInAgain(editor, () => void send())
  return (
    <Dialog
      onClose={onClose}
      title={`Erase this ${name} for good?`}
      description={
        <>
          {text.content !== null && (
            <>
              It begins: <q dir="auto">{firstWordsOf({ content: text.content })}</q>{' '}
            </>
          )}
          Nobody can undo this, not even an admin.
        </>
      }
      actions={
        <Button
          type="submit"
          form={formId}
          variant="danger"
          busy={editor.state === 'saving'}
          disabled={!mayErase}
        >
          Erase for good
        </Button>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-5 text-sm">
        <section aria-labelledby={`${formId}-goes`} className="flex flex-col gap-1.5">
          <h3 id={`${formId}-goes`} className="font-medium">
            What goes
          </h3>
          <ul className="flex list-disc flex-col gap-1 ps-5 text-ink-soft">
            {goes.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
          <p className="text-ink-soft">{stays}</p>
        </section>
        <TextArea label="Reason (optional), which the author reads" {...field} />
        <Checkbox
          label="I know that nobody can bring it back"
          checked={isSure}
          onChange={(event) => setIsSure(event.target.checked)}
        />
        <p role="alert" className="font-medium text-bad empty:hidden">
          {editor.state === 'failed' &&
            (codeOf(editor.error) === 'PostNotFound'
              ? `This ${name} has changed or was decided since, and nothing was erased. Please load the page again.`
              : sentenceOf(
                  editor.error,
                  'It could not be erased. Your reason is still here. Check the connection and try again.',
                ))}
        </p>
        <div className="flex empty:hidden">{signInAgain.button}</div>
      </form>
      <TwoTexts editor={editor} />
      {signInAgain.dialog}
    </Dialog>
  )
}

const inReports = 'The copies of its text in reports'
const words: Record<Erasable['kind'], { name: string; goes: string[]; stays: string }> = {
  post: {
    name: 'post',
    goes: [
      'Its text, its earlier versions and a version that waits for review',
      'Its picture',
      'The drafts of the author that change it',
      inReports,
    ],
    stays: 'It leaves the feed, the search and every page. The audit log names it, without its text.',
  },
  version: {
    name: 'new version',
    goes: ['The new text, which waits for review'],
    stays: 'The published post stays, with its text and its earlier versions.',
  },
  passage: {
    name: 'passage',
    goes: ['Its text, in the Z!mmer, in the finished story and in its files', inReports],
    stays: `A mark stays in its place: “${erasedMark}” The audit log names it, without its text.`,
  },
}
