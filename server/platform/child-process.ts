import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'

interface Options {
  /** The most that its heap may hold. Node aborts the process above it. */
  heapMb: number
  args?: string[]
  /** Whether the caller writes to its standard input and reads its standard output. */
  hasPipes?: boolean
}

/** Without it, each process loads a compiler of TypeScript. */
const quickImports = new URL('../quick-imports.js', import.meta.url).href

/**
 * Starts a process of Node for work whose failure must cost no other answer (S58): V8 aborts the whole process, not only a
 * thread, when a heap is full. The environment of the process has no settings of the server. The process must call
 * `endWithParent`, and does not keep the server from ending. Throws when the machine cannot start another process.
 */
export function startChild(file: URL, { heapMb, args = [], hasPipes = false }: Options): ChildProcess {
  const data = hasPipes ? 'pipe' : 'ignore'
  const child = fork(file, args, {
    env: {},
    execArgv: [`--max-old-space-size=${heapMb}`, '--import', quickImports],
    serialization: 'advanced',
    stdio: [data, data, 'pipe', 'ipc'],
  })
  for (const each of [child, child.channel, child.stdin, child.stdout, child.stderr] as (Socket | null)[])
    each?.unref()
  return child
}

/** Why a process has ended or did not start, with what it wrote last on standard error. Call this before it can end. */
export function endOf(child: ChildProcess): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let errorOutput = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-errorOutputMaxLength)
  })
  // A message that could not be sent is an error too.
  child.on('error', (error) => resolve(error.message))
  child.once('close', (code, signal) => resolve(`${signal ?? `exit code ${code}`}\n${errorOutput}`.trim()))
  return promise
}

const errorOutputMaxLength = 2000
