import { useId, useRef } from 'react'
import type { Room, RoomPassage } from '#contract/rooms/room.ts'
import { isBlank, withLf } from '#contract/text.ts'
import { nothingStored, useEditor } from '#web/lib/editor/use-editor.ts'
import { useConfirm } from '#web/ui/alerts.tsx'
import { Button } from '#web/ui/Button.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { asidePlaceOf } from '../table/api.ts'
import { hasTurns } from '../TurnLabels.tsx'

interface UnsentTextsProps {
  room: Room
  owner: string
  reason: Reason
  passages: readonly RoomPassage[]
}

/** The texts that a member had not sent when the room ended, or the membership. Only this browser has them. */
export function UnsentTexts({ room, owner, reason, passages }: UnsentTextsProps) {
  // The server may have stored the passage although its answer was lost.
  const isSent = (text: string) =>
    passages.some(({ userId, content }) => userId === owner && content === text)
  return (
    <>
      <Unsent place={`room/${room.id}`} noun="passage" {...{ owner, reason, isSent }} />
      {hasTurns(room) && (
        <Unsent place={asidePlaceOf(room.id)} noun="line" {...{ owner, reason }} isSent={() => false} />
      )}
    </>
  )
}

interface UnsentProps {
  /** The owner and the place of the draft. */
  owner: string
  place: string
  /** What the person was writing. */
  noun: 'passage' | 'line'
  reason: Reason
  isSent: (text: string) => boolean
}

/** Why the member cannot send it any more. */
type Reason = keyof typeof reasons

const reasons = {
  ended: { title: 'Not sent in time', when: 'when the Z!mmer ended' },
  removed: { title: 'Not sent', when: 'when you were removed from the table' },
}

function Unsent({ owner, place, noun, reason, isSent }: UnsentProps) {
  const { title, when } = reasons[reason]
  const editor = useEditor({ owner, place, stored: nothingStored, save: refuseToSave })
  const field = useRef<HTMLTextAreaElement>(null)
  const toast = useToast()
  const confirm = useConfirm()
  const headingId = useId()

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(editor.text)
      toast({ title: `Your ${noun} was copied` })
    } catch {
      // Without https there is no clipboard: select the text, so that the person can copy it.
      field.current?.focus()
      field.current?.select()
    }
  }
  const discard = async () => {
    if (await confirm({ text: `Discard the ${noun} that was not sent?`, verb: 'Discard', danger: true }))
      editor.change('')
  }
  if (isBlank(editor.text) || isSent(withLf(editor.text))) return null
  return (
    <section
      aria-labelledby={headingId}
      className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-5 print:hidden"
    >
      <h2 id={headingId} className="text-xl">
        {title}
      </h2>
      <TextArea
        ref={field}
        label={`Your last ${noun}`}
        hint={`You were writing this ${noun} ${when}. It is stored on this device only.`}
        rows={2}
        readOnly
        value={editor.text}
      />
      <div className="flex flex-wrap gap-3">
        <Button variant="quiet" onClick={() => void copy()}>
          Copy
        </Button>
        <Button variant="quiet" onClick={() => void discard()}>
          Discard
        </Button>
      </div>
      <TwoTexts editor={editor} />
    </section>
  )
}

/** The text is shown in an editor, which needs a function that saves. The room takes no passage of this person. */
const refuseToSave = () => Promise.reject(new Error('The room takes no passage'))
