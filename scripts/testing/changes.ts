import { execFileSync } from 'node:child_process'
import { root } from './command.ts'

/** The files that differ from the last commit which HEAD shares with this one, and those that git does not know yet. */
export function filesChangedSince(commit: string): string[] {
  const changed = linesOf('diff', '--name-only', '--merge-base', commit)
  return [...changed, ...linesOf('ls-files', '--others', '--exclude-standard')]
}

const linesOf = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '')
