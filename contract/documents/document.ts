import * as z from 'zod/mini'
import { Id, Instant, Text } from '#contract/schemas.ts'

/** In code points. */
export const documentMaxLength = 500_000
export const documentTitleMaxLength = 200
export const documentSourceMaxLength = 100
export const documentsMax = 2000
/** What the texts of all documents of a person may take. */
export const documentsMaxMiB = 64

export const DocumentFields = z.object({
  /** Where the text came from, such as the name of another program. */
  source: Text(documentSourceMaxLength),
  title: Text(documentTitleMaxLength),
  content: Text(documentMaxLength),
  /** When the text was written, as far as its file said so. */
  createdAt: z._default(z.nullable(Instant), null),
})
export type DocumentFields = z.output<typeof DocumentFields>

export const ListedDocument = z.object({
  id: Id,
  source: z.string(),
  title: z.string(),
  wordCount: z.int(),
  createdAt: z.nullable(Instant),
  addedAt: Instant,
})
export type ListedDocument = z.output<typeof ListedDocument>

/** A text that came by an import and is neither a day nor a draft. Only its owner reads it. */
export const Document = z.object({
  id: Id,
  source: z.string(),
  title: z.string(),
  content: z.string(),
  createdAt: z.nullable(Instant),
  addedAt: Instant,
})
export type Document = z.output<typeof Document>
