import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { Reason } from '#contract/feed/review/endpoints.ts'
import { Done, Id } from '#contract/schemas.ts'

// The calls by which admins erase texts. Nobody can undo them.

/** A call without a body is a call without a reason. */
const input = z.nullish(z.object({ reason: Reason }))

export const erasePost = endpoint({
  summary: 'Erases a post for good.',
  description:
    'Its earlier texts, its waiting version, its picture, the drafts that change it and the copies in reports are erased too, also of a post that its author took back. The id of a waiting version erases this version alone. A repeated call answers like the first one. `PostNotFound` means that nothing was erased: the text may be there under another id.',
  method: 'DELETE',
  path: '/api/admin/posts/:id',
  params: z.object({ id: Id }),
  input,
  output: Done,
  errors: ['PostNotFound'],
})

export const erasePassage = endpoint({
  summary: 'Erases the text of a passage for good.',
  description: 'The passage keeps its position, with a mark instead of its text.',
  method: 'DELETE',
  path: '/api/zimmers/:id/messages/:passageId',
  params: z.object({ id: Id, passageId: Id }),
  input,
  output: Done,
  errors: ['PassageNotFound'],
})
