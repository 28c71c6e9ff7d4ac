import { createContext } from 'react'

/** Whether this browser has a text of a person that is stored nowhere else. */
export type HasOnlyCopy = (owner: string) => boolean

export type LoadOnlyCopies = () => Promise<HasOnlyCopy[]>

/** Loads the checks of all features with such texts. Log-out calls them before it removes the texts. */
export const OnlyCopies = createContext<LoadOnlyCopies>(() => {
  throw new Error('OnlyCopies is missing around this component')
})
