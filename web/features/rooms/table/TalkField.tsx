import { type FormEvent, useRef } from 'react'
import type { User } from '#contract/account/user.ts'
import type { Room } from '#contract/rooms/room.ts'
import { asideMaxLength } from '#contract/rooms/table/asides.ts'
import { isBlank, lengthInCodePoints } from '#contract/text.ts'
import type { OutboxMessage } from '#web/lib/outbox.ts'
import { sendOnEnter } from '#web/lib/send-shortcuts.ts'
import { useIsStillSending, useOutbox } from '#web/lib/use-outbox.ts'
import { SendButton } from '#web/ui/ComposeBar.tsx'
import { cx } from '#web/ui/cx.ts'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { asidePlaceOf, useAddAside } from './api.ts'
import { lettersOf } from './letters.ts'

interface TalkFieldProps {
  room: Room
  user: User
  onSending: (text: string | null) => void
  onSent: () => void
}

/** The field for what a person says beside the story. The text is kept until the server has it. */
export function TalkField(props: TalkFieldProps) {
  const isStillSending = useIsStillSending(props.user.id, asidePlaceOf(props.room.id))
  return isStillSending ? (
    <p role="status" className="py-3 text-sm text-ink-soft">
      Your last line is being sent…
    </p>
  ) : (
    <OpenField {...props} />
  )
}

function OpenField({ room, user, onSending, onSent }: TalkFieldProps) {
  const { run } = useAddAside()
  const field = useRef<HTMLTextAreaElement>(null)
  const deliver = async ({ text, key }: OutboxMessage) => {
    const input = { content: text }
    await run({ params: { id: room.id }, input, idempotencyKey: key, personId: user.id })
    onSent()
  }
  const place = asidePlaceOf(room.id)
  const { editor, text, problem, change, send } = useOutbox({
    owner: user.id,
    place,
    noun: 'line',
    deliver,
    onSending,
  })
  const lettersLeft = asideMaxLength - lengthInCodePoints(text)

  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    // The button is disabled after it was pressed, so the focus goes to the field.
    field.current?.focus()
    if (lettersLeft >= 0) void send()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-1">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextArea
            ref={field}
            dir="auto"
            label="Say something beside the story"
            labelHidden
            rows={1}
            className="max-h-[20dvh] font-sans! text-sm"
            placeholder="Say something…"
            value={text}
            readOnly={editor.state === 'loading'}
            error={problem ?? undefined}
            onChange={(event) => change(event.target.value)}
            onKeyDown={(event) => sendOnEnter(event, submit)}
          />
        </div>
        <SendButton disabled={isBlank(text) || lettersLeft < 0} />
      </div>
      <p className={cx('text-xs tabular-nums', lettersLeft < 0 ? 'font-medium text-bad' : 'text-ink-soft')}>
        {lettersOf(lettersLeft)}
      </p>
      <TwoTexts editor={editor} />
    </form>
  )
}
