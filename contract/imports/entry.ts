/** A text that a file of another program, or of an archive of ours, holds. */
export type ImportedEntry = ImportedDay | ImportedDraft | ImportedDocument

export interface ImportedDay {
  kind: 'day'
  of: 'diary' | 'calendar'
  /** `yyyy-MM-dd` in the time zone of the entry. */
  day: string
  /** `HH:mm` in that time zone. Null: the file gives no time. */
  time: string | null
  text: string
  /** When the text was last changed, an instant in UTC. Left out where the file does not say it. */
  updatedAt?: string | undefined
  place: string
}

export interface ImportedDraft {
  kind: 'draft'
  title: string
  text: string
  /** An instant in UTC. */
  createdAt: string | null
  /** These four are known from an archive of ours only. */
  updatedAt?: string | undefined
  authorName?: string | undefined
  postType?: string | undefined
  form?: string | undefined
  category: string | null
  tags: string[]
  place: string
}

export interface ImportedDocument {
  kind: 'document'
  source: string
  title: string
  text: string
  createdAt: string | null
  place: string
}

/** What of a file was not taken, and where it stands: 'entries/3.json, entry 12'. */
export interface ImportProblem {
  place: string
  reason: string
}

export const importFormats = [
  'zimmer',
  'dayone',
  'applejournal',
  'markdown',
  'wordpress',
  'ghost',
  'journiv',
  'substack',
  'medium',
] as const
export type ImportFormat = (typeof importFormats)[number]

export interface ImportedFile {
  format: ImportFormat
  entries: ImportedEntry[]
  notUnderstood: ImportProblem[]
  skipped: ImportProblem[]
}
