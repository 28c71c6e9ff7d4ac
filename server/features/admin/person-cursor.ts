import { PersonId } from '#contract/schemas.ts'
import { badCursor, isInstant, type TimeCursor } from '#server/platform/http/answers/paging.ts'

export const personCursorOf = ({ createdAt, id }: TimeCursor): string => `${createdAt}_${id}`

/** The place in a list of people by time; their ids are of another form than those of things. */
export function readPersonCursor(before: string | undefined): TimeCursor | undefined {
  if (before === undefined) return undefined
  const [createdAt, id] = before.split('_')
  if (!isInstant(createdAt) || !PersonId.safeParse(id).success) throw badCursor()
  return { createdAt, id: id! }
}
