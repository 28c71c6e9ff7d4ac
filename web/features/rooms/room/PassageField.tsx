import { type FormEvent, type RefObject, useState } from 'react'
import type { User } from '#contract/account/user.ts'
import type { Room, SentPassage } from '#contract/rooms/room.ts'
import { isBlank } from '#contract/text.ts'
import type { OutboxMessage } from '#web/lib/outbox.ts'
import { RequestError } from '#web/lib/request.ts'
import { sendOnEnter } from '#web/lib/send-shortcuts.ts'
import { useOutbox } from '#web/lib/use-outbox.ts'
import { useAlert } from '#web/ui/alerts.tsx'
import { SendButton } from '#web/ui/ComposeBar.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { useSendPassage, useAnnounceWriting } from './api.ts'
import { SigningDialog, useSigning } from './use-signing.ts'

interface PassageFieldProps {
  ref: RefObject<HTMLTextAreaElement | null>
  room: Room
  user: User
  /** Whether the person has not yet said how to sign in this room. */
  asksSignature: boolean
  isOver: boolean
  /** Called with the passage that is being sent, so that the story shows it at once, and with null afterwards. */
  onSending: (passage: string | null) => void
  onSent: (passage: SentPassage) => void
}

/** The field in which a member writes a passage. The text is kept until the server has it. */
export function PassageField({
  ref,
  room,
  user,
  asksSignature,
  isOver,
  onSending,
  onSent,
}: PassageFieldProps) {
  const alert = useAlert()
  const { run } = useSendPassage()
  const announceWriting = useAnnounceWriting(room.id)
  const deliver = async ({ text, key }: OutboxMessage) => {
    try {
      const sent = {
        params: { id: room.id },
        input: { content: text },
        idempotencyKey: key,
        personId: user.id,
      }
      onSent(await run(sent))
    } catch (error) {
      // The alert says that the person is no member. That is wrong for these two.
      const isOther =
        error instanceof RequestError && !['StoryFull', 'OtherPerson'].includes(error.code ?? '')
      if (isOther) void alert('You must be a member of this room to send messages.')
      throw error
    }
  }
  const { editor, text, problem, change, send } = useOutbox({
    owner: user.id,
    place: `room/${room.id}`,
    noun: 'passage',
    deliver,
    onSending,
  })

  const [isAsking, setAsking] = useState(false)
  const changeSigning = useSigning(room.id)

  const sign = async (withName: boolean) => {
    setAsking(false)
    if (await changeSigning(withName)) await send()
  }
  /** The first passage in a room waits in the field until the person has said how to sign. */
  const askOrSend = () => {
    if (asksSignature && !isBlank(text)) setAsking(true)
    else void send()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The button is disabled after it was pressed, so the focus goes to the field.
    ref.current?.focus()
    askOrSend()
  }
  return (
    <form className="flex min-w-0 flex-1 items-end gap-2" onSubmit={submit}>
      <div className="min-w-0 flex-1">
        <TextArea
          ref={ref}
          label="Your passage"
          labelHidden
          rows={2}
          placeholder="Continue the story..."
          value={text}
          disabled={isOver}
          readOnly={editor.state === 'loading'}
          error={problem ?? undefined}
          onChange={(event) => {
            change(event.target.value)
            if (!isBlank(event.target.value)) announceWriting()
          }}
          onKeyDown={(event) => sendOnEnter(event, askOrSend)}
        />
      </div>
      <SendButton disabled={isOver || isBlank(text)} className="mb-1.5" />
      <TwoTexts editor={editor} />
      {isAsking && (
        <SigningDialog
          user={user}
          title="Your signature"
          verb="Send"
          onChoose={(withName) => void sign(withName)}
          onClose={() => setAsking(false)}
        />
      )}
    </form>
  )
}
