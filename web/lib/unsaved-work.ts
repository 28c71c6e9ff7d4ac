/** Places that hold typed text nobody has saved yet: asked before it would be thrown away. */
const places = new Map<string, () => boolean>()

/** Tells of a place with a text of its own; answers how to take that back. */
export function watchUnsavedWork(place: string, hasUnsavedText: () => boolean): () => void {
  places.set(place, hasUnsavedText)
  return () => void (places.get(place) === hasUnsavedText && places.delete(place))
}

export const hasUnsavedWork = (): boolean => [...places.values()].some((hasUnsavedText) => hasUnsavedText())
