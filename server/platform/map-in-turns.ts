import { setImmediate } from 'node:timers/promises'

/**
 * Maps items one after the other, and lets other requests run after each. For work such as counting the words of a long
 * text, which takes milliseconds: other requests must not wait for all items.
 */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const mapped: Result[] = []
  for (const item of items) {
    mapped.push(map(item))
    await setImmediate()
  }
  return mapped
}
