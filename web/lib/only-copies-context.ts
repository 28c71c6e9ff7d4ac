import { createContext } from 'react'
import type { TextKind } from './editor/text-kind.ts'

/** Whether this browser has a text of a person that is stored nowhere else. */
export type HasOnlyCopy = (owner: string) => boolean

/** Loads `web/only-copies.ts`, which no first page needs. */
export type LoadOnlyCopies = () => Promise<{
  /** The checks of all features with such texts. Log-out calls them before it removes the texts. */
  onlyCopyChecks: HasOnlyCopy[]
  /** The kinds of texts whose drafts can be saved in the account. */
  textKinds: TextKind[]
}>

export const OnlyCopies = createContext<LoadOnlyCopies>(() => {
  throw new Error('OnlyCopies is missing around this component')
})
