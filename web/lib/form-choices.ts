import { useRef, useState } from 'react'
import { personKey, type StoredItem, storedJson, type StoredSchema } from './storage.ts'

/**
 * Declares what this browser stores of the short fields of a form: a function from a person to the stored choices of that person. They
 * stay until the form calls `forget` of `useFormChoices`.
 */
export const formChoices =
  <Choices>(prefix: string, schema: StoredSchema<Choices>, defaults: Choices) =>
  (owner: string): StoredItem<Choices> =>
    storedJson({ key: personKey(prefix, owner), schema, fallback: defaults })

/** The choices of a form as state: `choose` changes and stores some of them, and `forget` returns to the defaults. */
export function useFormChoices<Choices extends object>(stored: StoredItem<Choices>) {
  const [choices, setChoices] = useState(stored.read)
  // A choice may be made long after the last render, such as at the end of an upload.
  const latest = useRef(choices)
  const show = (next: Choices) => {
    latest.current = next
    setChoices(next)
  }
  return {
    choices,
    choose: (part: Partial<Choices>) => {
      show({ ...latest.current, ...part })
      stored.write(latest.current)
    },
    forget: () => {
      stored.remove()
      show(stored.read())
    },
  }
}
