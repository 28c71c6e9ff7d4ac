/** Makes a function that keeps its last result, and computes again only for another text. */
export function memoizeLast<T>(read: (text: string) => T): (text: string) => T {
  let last: { text: string; value: T } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, value: read(text) }
    return last.value
  }
}
