import { type FormEvent, type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { SendHorizontal } from 'lucide-react'
import type { Room, RoomPassage } from '#contract/rooms/room.ts'
import { isBlank } from '#contract/text.ts'
import { emptyDraft, useEditor } from '#web/lib/editor/use-editor.ts'
import { RequestError } from '#web/lib/request.ts'
import { randomId } from '#web/lib/session-storage.ts'
import { useAlert } from '#web/ui/alerts.tsx'
import { Button } from '#web/ui/Button.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { useSendPassage, useTellWriting } from './api.ts'

interface PassageFieldProps {
  ref: RefObject<HTMLTextAreaElement | null>
  room: Room
  owner: string
  isOver: boolean
  /** The passage on its way, for the story to show it at once. */
  onSending: (passage: string | null) => void
  onSent: (passage: RoomPassage) => void
}

/** Where a member goes on with the story. What is typed stays until the server has it. */
export function PassageField({ ref, room, owner, isOver, onSending, onSent }: PassageFieldProps) {
  const alert = useAlert()
  const { run } = useSendPassage()
  const announceWriting = useTellWriting(room.id)
  const [isSending, setSending] = useState(false)
  const [isTyping, setTyping] = useState(false)
  /** That what was typed meanwhile is to be sent too. */
  const isWanted = useRef(false)
  /** A passage whose answer was lost may be there already: sent again, it carries the same key. */
  const tried = useRef(nothingTried)
  /** What was typed since the passage went on its way; null where nothing was. */
  const typed = useRef<string | null>(null)

  const put = (text: string | null) => {
    setSending(text !== null)
    setTyping(false)
    onSending(text)
  }
  const save = async (text: string) => {
    if (isBlank(text)) return emptyDraft
    put(text)
    typed.current = null
    if (tried.current.text !== text) tried.current = { text, idempotencyKey: randomId() }
    const { idempotencyKey } = tried.current
    try {
      onSent(await run({ params: { id: room.id }, input: { content: text }, idempotencyKey }))
      tried.current = nothingTried
    } catch (error) {
      console.error('Failed to send a passage', error)
      // The controls of a full room are there still, and its members need not hear that they are none.
      if (error instanceof RequestError && error.code !== 'StoryFull')
        void alert('You must be a member of this room to send messages.')
      if (typed.current !== null)
        editor.change(isBlank(typed.current) ? text : [text, typed.current].join('\n\n'))
      throw error
    } finally {
      put(null)
    }
    return emptyDraft
  }
  const editor = useEditor({ owner, place: `room/${room.id}`, stored: emptyDraft, save })
  // What is on its way is not shown here too.
  const shown = isSending && !isTyping ? '' : editor.text

  const send = async () => {
    isWanted.current = isSending
    if (isSending || isBlank(editor.text)) return
    do {
      isWanted.current = false
      await editor.save()
      // The same words, typed again, are another passage.
      if (tried.current === nothingTried && typed.current !== null) editor.change(typed.current)
    } while (isWanted.current && tried.current === nothingTried)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The button sends once and is disabled then; writing goes on in the field.
    ref.current?.focus()
    void send()
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || hasNoShift() || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <form className="flex items-end gap-2" onSubmit={submit}>
      <div className="min-w-0 flex-1">
        <TextArea
          ref={ref}
          label="Your passage"
          labelHidden
          rows={2}
          placeholder="Continue the story..."
          value={shown}
          disabled={isOver}
          readOnly={editor.state === 'opening'}
          error={editor.state === 'failed' ? reasonOf(editor.error) : undefined}
          onChange={(event) => {
            typed.current = event.target.value
            setTyping(true)
            editor.change(event.target.value)
            if (!isBlank(event.target.value)) announceWriting()
          }}
          onKeyDown={pressed}
        />
      </div>
      <Button
        type="submit"
        aria-label="Send"
        disabled={isOver || isBlank(shown)}
        className="mb-1.5 min-h-11"
        // Pressed under a thumb, it must not take the focus: the bar below would come back and move it away.
        onMouseDown={(event) => event.preventDefault()}
      >
        <SendHorizontal aria-hidden className="size-5" />
      </Button>
      <TwoTexts editor={editor} />
    </form>
  )
}

/** Where fingers type, Enter breaks the line and the button sends. */
const hasNoShift = () => matchMedia('(pointer: coarse)').matches

const nothingTried = { text: '', idempotencyKey: '' }

/** What the server said of a passage that it refused. */
const reasonOf = (error: unknown) =>
  error instanceof RequestError && error.error !== null
    ? `${error.error} Your passage is still here.`
    : 'Your passage could not be sent yet. It is still here.'
