import { editorStatus } from '#web/lib/editor/status.ts'
import type { WrittenDraft } from './use-draft.ts'

/** Where the text is, in words. What the server has no more is kept in this browser, and that is no failure. */
export const draftStatus = ({ editor, isGone }: Pick<WrittenDraft, 'editor' | 'isGone'>): string =>
  isGone && editor.state === 'failed' ? 'Safe on this device' : editorStatus(editor)
