import { expect, test } from 'vitest'
import { asSentences } from './log-sentences.ts'
import { createLog } from './log.ts'

function openLog() {
  const lines: string[] = []
  // The time of day is that of the machine.
  const write = (text: string) => void lines.push(text.replaceAll(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d /g, ''))
  return { lines, log: createLog('debug', asSentences({ write })) }
}

test('an operator at a terminal reads each line of the log as a sentence, with its fields behind it [LOOP-32]', () => {
  const { lines, log } = openLog()
  log.info('Postgres runs')
  log.warn('PORTT is no setting and is ignored.')
  log.error({ files: ['a', 'b'], reason: 'no space' }, 'the daily backup failed')
  expect(lines).toEqual([
    'Postgres runs\n',
    'Warning: PORTT is no setting and is ignored.\n',
    'Error: the daily backup failed (files: ["a","b"], reason: no space)\n',
  ])
})

test('an operator at a terminal reads an error with its causes and their places [LOOP-32]', () => {
  const { lines, log } = openLog()
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  log.fatal({ err: new TypeError('no day', { cause }) }, 'uncaught')
  expect(lines.join('').replaceAll(/^ {4}at .*\n/gm, '    at …\n')).toMatch(
    /^Fatal: uncaught\n {2}TypeError \(message: no day\)\n( {4}at …\n)+ {2}caused by Error \(message: connect ECONNREFUSED, code: ECONNREFUSED\)\n( {4}at …\n)+$/,
  )
})

test.each([
  ['line end', '\n', 'a'],
  ['carriage return', '\r', 'd'],
  ['escape sequence', '\u001b', '1b'],
  ['control of Latin-1', '\u009b', '9b'],
  ['line separator', '\u2028', '2028'],
  ['direction override', '\u202e', '202e'],
  ['direction isolate', '\u2066', '2066'],
  ['direction mark', '\u200f', '200f'],
  ['half of a surrogate pair', '\ud83d', 'd83d'],
])(
  'a name with a %s forges no line of the log at a terminal, wherever the name stands [LOOP-32 S49]',
  (_what, sign, code) => {
    const { lines, log } = openLog()
    const name = `ana${sign}Warning: all is lost`
    log.warn({ [name]: name, nested: { name } }, name)
    log.error({ err: new Error('x', { cause: new Error(name) }) }, 'failed')
    const text = lines.join('')
    expect(text).toContain(`Warning: ana\\u{${code}}Warning: all is lost`)
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
    expect(text).not.toMatch(/^(Warning: all|all is lost)/m)
  },
)
