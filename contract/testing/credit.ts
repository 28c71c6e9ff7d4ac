import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Verdict } from '#contract/rooms/credit/verify.ts'

/** A verdict in one line, such as 'false 3'. */
export const shortly = (verdict: Verdict): string =>
  verdict.outcome === 'false' && verdict.position !== null ? `false ${verdict.position}` : verdict.outcome

/** What the independent verifier says of each list of files. */
export const verdictsOfPython = (cases: readonly (readonly string[])[]): string[] =>
  JSON.parse(
    execFileSync('python3', [join(import.meta.dirname, 'verify_credit.py')], {
      input: JSON.stringify(cases),
      encoding: 'utf8',
      maxBuffer: 1e8,
    }),
  ) as string[]

export const hasPython = (() => {
  try {
    return execFileSync('python3', ['-c', 'print(1)'], { encoding: 'utf8' }) === '1\n'
  } catch {
    return false
  }
})()
