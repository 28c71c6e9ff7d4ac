import { useRef } from 'react'
import type { Room, RoomPassage } from '#contract/rooms/room.ts'
import { isBlank, withLf } from '#contract/text.ts'
import { emptyDraft, useEditor } from '#web/lib/editor/use-editor.ts'
import { useConfirm } from '#web/ui/alerts.tsx'
import { Button } from '#web/ui/Button.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'

interface UnsentPassageProps {
  room: Room
  owner: string
  passages: readonly RoomPassage[]
}

/** What somebody was writing when the time was up: it has no place in the story, and stays theirs. */
export function UnsentPassage({ room, owner, passages }: UnsentPassageProps) {
  const editor = useEditor({ owner, place: `room/${room.id}`, stored: emptyDraft, save: nowhere })
  const field = useRef<HTMLTextAreaElement>(null)
  const toast = useToast()
  const confirm = useConfirm()

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(editor.text)
      toast({ title: 'Passage copied' })
    } catch {
      // Plain http has no clipboard: the passage can be copied by hand.
      field.current?.focus()
      field.current?.select()
    }
  }
  const discard = async () => {
    if (await confirm({ text: 'Discard the passage that was not sent?', verb: 'Discard', danger: true }))
      editor.change('')
  }
  // Its answer may have been lost on the way.
  const isTold = passages.some(({ userId, content }) => userId === owner && content === withLf(editor.text))
  if (isBlank(editor.text) || isTold) return null
  return (
    <section
      aria-labelledby="unsent"
      className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-5 print:hidden"
    >
      <h2 id="unsent" className="text-xl">
        Not sent in time
      </h2>
      <TextArea
        ref={field}
        label="Your last passage"
        hint="You were writing it when the Z!mmer ended. It is kept on this device alone."
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

/** The story is finished: there is no place left to send it to, and nothing here asks for it. */
const nowhere = () => Promise.reject(new Error('The story is finished'))
