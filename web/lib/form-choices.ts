import type * as z from 'zod/mini'

/** What somebody has chosen in a form beside its text: kept in this browser until the form has done its work. */
export interface FormChoices<Choices> {
  /** Those of nobody's, where none were kept or they cannot be read. */
  read: (owner: string) => Choices
  keep: (owner: string, choices: Choices) => void
  forget: (owner: string) => void
}

/** `prefix` is one of those that go when the person leaves (`local-copies.ts`). */
export function formChoices<Schema extends z.ZodMiniType>(
  prefix: 'post-draft' | 'room-draft',
  schema: Schema,
  none: z.output<Schema>,
): FormChoices<z.output<Schema>> {
  const keyOf = (owner: string) => `${prefix}:${owner}`
  return {
    read: (owner) => {
      try {
        return schema.parse(JSON.parse(localStorage.getItem(keyOf(owner)) ?? ''))
      } catch {
        return none
      }
    },
    keep: (owner, choices) => {
      try {
        localStorage.setItem(keyOf(owner), JSON.stringify(choices))
      } catch {
        // Then they are chosen again after a reload.
      }
    },
    forget: (owner) => {
      try {
        localStorage.removeItem(keyOf(owner))
      } catch {
        // Nothing was kept.
      }
    },
  }
}
