/**
 * Lets callers who each ask for one thing ask together: whoever comes while a question is out waits for the next one,
 * which asks for all of them. Every answer is younger than its question.
 */
export function together<Answer>(
  askAll: (keys: string[]) => Promise<Map<string, Answer>>,
): (key: string) => Promise<Answer | undefined> {
  let next: { keys: Set<string>; answers: Promise<Map<string, Answer>> } | undefined
  let last: Promise<unknown> = Promise.resolve()
  return async (key) => {
    next ??= begin()
    next.keys.add(key)
    return (await next.answers).get(key)
  }

  function begin() {
    const keys = new Set<string>()
    const answers = last.then(() => {
      next = undefined
      return askAll([...keys])
    })
    last = answers.catch(() => {})
    return { keys, answers }
  }
}
