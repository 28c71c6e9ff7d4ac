import type * as z from 'zod/mini'
import { personKey, storedJson } from './storage.ts'

/** The choices of a person in a form, without its text. This browser keeps them until the form is sent. */
export interface FormChoices<Choices> {
  /** The defaults, where no choices are kept or they cannot be read. */
  read: (owner: string) => Choices
  keep: (owner: string, choices: Choices) => void
  forget: (owner: string) => void
}

export function formChoices<Schema extends z.ZodMiniType>(
  prefix: string,
  schema: Schema,
  defaults: z.output<Schema>,
): FormChoices<z.output<Schema>> {
  const choicesOf = (owner: string) =>
    storedJson<z.output<Schema>>({ key: personKey(prefix, owner), schema, fallback: defaults })
  return {
    read: (owner) => choicesOf(owner).read(),
    keep: (owner, choices) => void choicesOf(owner).write(choices),
    forget: (owner) => choicesOf(owner).remove(),
  }
}
