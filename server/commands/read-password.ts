import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { Writable } from 'node:stream'
import { OperatorError } from '#server/platform/operator-error.ts'

/** Reads a password from standard input. Every account of the machine could read an argument. */
export async function readPassword(email: string): Promise<string> {
  const { stdin } = process
  if (stdin.isTTY) return askTwice(email)
  const password = (await text(stdin)).replace(/\r?\n$/, '')
  if (password === '')
    throw new OperatorError(
      'No password was given. Run the command in a terminal, which asks for it, or give one line on standard input. Nothing was changed.',
    )
  if (/[\r\n]/.test(password)) throw new OperatorError('A password is one line. Nothing was changed.')
  return password
}

/** Asks on a terminal, which does not show the answers. */
async function askTwice(email: string): Promise<string> {
  const { stdin, stderr } = process
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 })
  const ending = new AbortController()
  // Ctrl-C and Ctrl-D close the input without an answer.
  lines.once('close', () => ending.abort())
  const ask = async (question: string) => {
    stderr.write(question)
    const answer = await lines.question('', { signal: ending.signal }).catch(() => undefined)
    stderr.write('\n')
    if (answer === undefined) throw new OperatorError('No password was typed. Nothing was changed.')
    return answer
  }
  try {
    const password = await ask(`New password for ${email}: `)
    if ((await ask('The same once more: ')) !== password)
      throw new OperatorError('The two passwords differ. Nothing was changed.')
    return password
  } finally {
    lines.close()
  }
}
