import * as z from 'zod/mini'
import type { Bus } from './bus.ts'

/** The format between processes. It must not change, because processes of two versions may run at the same time. */
const Changed = z.object({ kind: z.literal('changed'), of: z.string() })
type Changed = z.infer<typeof Changed>

export interface ChangeCounts<Kind extends string> {
  /** How many changes of a kind this process has received. Keys of kept answers contain the count, so no answer from before a change is found. */
  of(kind: Kind): number
  /** Call this after the commit of a change. All processes count it. */
  add(...kinds: Kind[]): void
}

/** Counts the changes of data that many kept answers show, where it would be costly to know which answers show them. */
export function createChangeCounts<Kind extends string>(bus: Bus): ChangeCounts<Kind> {
  const counts = new Map<string, number>()
  bus.subscribe((message) => {
    const { success, data } = z.safeParse(Changed, message)
    if (success) counts.set(data.of, (counts.get(data.of) ?? 0) + 1)
  })
  return {
    of: (kind) => counts.get(kind) ?? 0,
    add(...kinds) {
      for (const kind of kinds) bus.publish({ kind: 'changed', of: kind } satisfies Changed)
    },
  }
}
