import { lengthInCodePoints } from '#contract/text.ts'
import type { Save } from './save.ts'
import { tooLong } from './status.ts'
import { type Editor, nothingStored, useEditor } from './use-editor.ts'

interface DraftedText {
  owner: string
  /** Unique among the person's texts. */
  place: string
  maxLength: number
  save: Save
}

/** A text that a person writes and sends once, such as a comment. The draft stays in this browser until `save` has sent it. */
export function useDraftedText({ maxLength, ...editing }: DraftedText) {
  const editor = useEditor({ ...editing, stored: nothingStored })
  return { editor, ...fieldOf(editor, maxLength) }
}

/** The attributes of the text area of an editor, and whether its text is too long. */
export function fieldOf(editor: Editor, maxLength: number) {
  const over = lengthInCodePoints(editor.text) - maxLength
  return {
    isTooLong: over > 0,
    field: {
      value: editor.text,
      readOnly: editor.state === 'loading',
      error: over > 0 ? tooLong(over) : undefined,
      onChange: ({ target }: { target: { value: string } }) => editor.change(target.value),
    },
  }
}
