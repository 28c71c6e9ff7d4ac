import { lengthInCodePoints } from '#contract/text.ts'
import type { Save } from './manuscript.ts'
import { tooLong } from './status.ts'
import { emptyDraft, useEditor } from './use-editor.ts'

interface DraftedText {
  owner: string
  /** Unique among the person's texts. */
  place: string
  maxLength: number
  save: Save
}

/** A text that a person writes and sends once, such as a comment. The draft stays in this browser until `save` has sent it. */
export function useDraftedText({ owner, place, maxLength, save }: DraftedText) {
  const editor = useEditor({ owner, place, stored: emptyDraft, save })
  const over = lengthInCodePoints(editor.text) - maxLength
  return {
    editor,
    isTooLong: over > 0,
    /** The attributes of the text area. */
    field: {
      value: editor.text,
      readOnly: editor.state === 'loading',
      error: over > 0 ? tooLong(over) : undefined,
      onChange: ({ target }: { target: { value: string } }) => editor.change(target.value),
    },
  }
}
