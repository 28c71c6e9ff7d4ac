/** Reads a text again only when it has changed since the last call. */
export function ofLastText<T>(read: (text: string) => T): (text: string) => T {
  let last: { text: string; value: T } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, value: read(text) }
    return last.value
  }
}
