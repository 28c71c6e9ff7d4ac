import * as z from 'zod/mini'
import { Instant, PersonId } from '#contract/schemas.ts'
import { archiveFormat } from './layout.ts'

/** Describes an archive. It lists every other file, in the order of the archive. */
export const Manifest = z.object({
  format: z.literal(archiveFormat),
  version: z.int(),
  createdAt: Instant,
  origin: z.string(),
  person: z.object({ id: PersonId, name: z.string(), email: z.nullable(z.string()) }),
  files: z.array(
    z.object({ path: z.string(), bytes: z.int(), sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  ),
})
export type Manifest = z.infer<typeof Manifest>

/** A passage in `passages.json`. */
export const ArchivedPassage = z.object({
  position: z.int(),
  content: z.string(),
  createdAt: Instant,
  author: z.string(),
  isMine: z.boolean(),
})
export type ArchivedPassage = z.infer<typeof ArchivedPassage>
