import { createHashing, type Hashing } from '#server/features/account/index.ts'
import { systemRandom } from '#server/platform/ids.ts'

/** Hashes as the server does, but each password of a test file once: the hashes take most of the time of many tests. */
export function createMemoizedHashing(): Hashing {
  const { hash, verify } = createHashing(systemRandom)
  return { hash: memoized(hash), verify: memoized(verify) }
}

function memoized<Args extends unknown[], Answer>(work: (...args: Args) => Promise<Answer>) {
  const known = new Map<string, Promise<Answer>>()
  return (...args: Args) => {
    const key = JSON.stringify(args)
    const answer = known.get(key) ?? work(...args)
    known.set(key, answer)
    return answer
  }
}
