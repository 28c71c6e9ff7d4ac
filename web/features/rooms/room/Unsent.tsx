import { useId, useRef } from 'react'
import { isBlank, withLf } from '#contract/text.ts'
import { nothingStored, useEditor } from '#web/lib/editor/use-editor.ts'
import { useConfirm } from '#web/ui/alerts.tsx'
import { Button } from '#web/ui/Button.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'

interface UnsentProps {
  /** The owner and the place of the draft. */
  owner: string
  place: string
  /** What the person was writing. */
  noun: 'passage' | 'line'
  isSent: (text: string) => boolean
}

/** The text that a member had not sent when the room ended. Only this browser has it. */
export function Unsent({ owner, place, noun, isSent }: UnsentProps) {
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
        Not sent in time
      </h2>
      <TextArea
        ref={field}
        label={`Your last ${noun}`}
        hint={`You were writing this ${noun} when the Z!mmer ended. It is stored on this device only.`}
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

/** The text is shown in an editor, which needs a function that saves. A finished story takes no passage. */
const refuseToSave = () => Promise.reject(new Error('The story is finished'))
