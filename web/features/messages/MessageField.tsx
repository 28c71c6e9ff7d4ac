import { type FormEvent, type ReactNode, useId, useRef } from 'react'
import { friendName, type ListedFriend } from '#contract/friends/friend.ts'
import { type DirectMessage, messageMaxLength } from '#contract/messages/message.ts'
import { isBlank, lengthInCodePoints } from '#contract/text.ts'
import { tooLong } from '#web/lib/editor/status.ts'
import type { OutboxMessage } from '#web/lib/outbox.ts'
import { sendOnEnter } from '#web/lib/send-shortcuts.ts'
import { useIsStillSending, useOutbox } from '#web/lib/use-outbox.ts'
import { useConfirm } from '#web/ui/alerts.tsx'
import { Button } from '#web/ui/Button.tsx'
import { SendButton } from '#web/ui/ComposeBar.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { useSendMessage } from './api.ts'

interface MessageFieldProps {
  friend: ListedFriend
  owner: string
  /** Called with the message that is being sent, so that the conversation shows it at once, and with null afterwards. */
  onSending: (message: string | null) => void
  onSent: (message: DirectMessage) => void
  /** Buttons beside the field. */
  actions: ReactNode
}

const placeOf = (friend: ListedFriend) => `message/${friend.id}`

/** The field for a message to a friend. The text is kept until the server has it. */
export function MessageField(props: MessageFieldProps) {
  const isStillSending = useIsStillSending(props.owner, placeOf(props.friend))
  return isStillSending ? (
    <p role="status" className="py-3 text-sm text-ink-soft">
      Your last message is being sent…
    </p>
  ) : (
    <OpenField {...props} />
  )
}

function OpenField({ friend, owner, onSending, onSent, actions }: MessageFieldProps) {
  const { run } = useSendMessage()
  const confirm = useConfirm()
  const field = useRef<HTMLTextAreaElement>(null)
  const deliver = async ({ text, key }: OutboxMessage) => {
    const input = { receiverId: friend.id, messageType: 'text' as const, content: text }
    onSent(await run({ input, idempotencyKey: key, personId: owner }))
  }
  const place = placeOf(friend)
  const outbox = useOutbox({ owner, place, noun: 'message', deliver, onSending })
  const { editor, text, change, send } = outbox
  const over = lengthInCodePoints(text) - messageMaxLength
  const problem = over > 0 ? tooLong(over) : outbox.problem
  const problemId = useId()

  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    // A button is disabled or removed after it was pressed, so the focus goes to the field.
    field.current?.focus()
    if (over <= 0) void send()
  }
  const discard = async () => {
    if (!(await confirm({ text: 'Discard the message that was not sent?', verb: 'Discard', danger: true })))
      return
    change('')
    field.current?.focus()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-1">
      <div className="flex items-end gap-2">
        <div className="mb-1 pointer-coarse:mb-0">{actions}</div>
        <div className="min-w-0 flex-1">
          <TextArea
            ref={field}
            dir="auto"
            label={`Message to ${friendName(friend)}`}
            labelHidden
            rows={1}
            className="max-h-[40dvh]"
            placeholder="Write a message…"
            value={text}
            readOnly={editor.state === 'loading'}
            errorElsewhere={problem === null ? undefined : problemId}
            onChange={(event) => change(event.target.value)}
            onKeyDown={(event) => sendOnEnter(event, submit)}
          />
        </div>
        <SendButton disabled={isBlank(text) || over > 0} />
      </div>
      <p id={problemId} role="alert" className="text-xs font-medium text-bad empty:hidden">
        {problem}
      </p>
      {outbox.problem !== null && (
        <div className="flex flex-wrap gap-x-4">
          <Button variant="link" className="text-sm" onClick={() => submit()}>
            Try again
          </Button>
          <Button variant="link" className="text-sm" onClick={() => field.current?.focus()}>
            Edit
          </Button>
          <Button variant="link" className="text-sm" onClick={() => void discard()}>
            Discard
          </Button>
        </div>
      )}
      <TwoTexts editor={editor} />
    </form>
  )
}
