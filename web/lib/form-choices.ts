import { useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { personKey, type StoredItem, storedJson } from './storage.ts'

/** The short fields of a form, as this browser stores them for each person until the form calls `forget`. */
export const formChoices =
  <Choices>(prefix: string, schema: z.ZodMiniType<Choices>, defaults: Choices) =>
  (owner: string): StoredItem<Choices> =>
    storedJson({ key: personKey(prefix, owner), schema, fallback: defaults })

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
