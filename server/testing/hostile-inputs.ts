import type { CallRow, CallData } from './calls.ts'
import { requestOf } from './calls.ts'

/** One request that tries to keep the server busy. */
export interface HostileRequest {
  what: string
  method: string
  url: string
  headers?: Record<string, string>
  payload?: string
}

/** What is repeated until it fills a field, a header or a body. */
const texts: Record<string, string> = {
  'marks of mixed classes': '\u0301\u0323\u0327\u05b0\u3099\u0345\u0f71',
  'one mark': '\u0301',
  'letters with 30 marks': `a${'\u0301\u0323'.repeat(15)}`,
  'decomposed letters': 'a\u0323\u0302',
  'letters that decompose': '\u1f82\ufb2c',
  jamo: '\u1112\u1161\u11ab',
  'zero-width joiners': '\u200d',
  'joined emoji': '👩‍👩‍👧‍👦',
  'astral letters': '𝔄',
  spaces: ' ',
  'line ends': '\r\n',
  points: '.',
  'letters and points': 'a.',
  'digits and points': '1.',
  hyphens: 'a-',
  apostrophes: "a'",
  'at signs': 'a@',
  semicolons: ';q=0 ',
  brackets: '[',
  quotes: '"',
  exclamations: 'z!',
  'reserved words': 'zimmers',
  'letter pairs': 'aA',
  sigmas: 'Σ.',
  'Thai without spaces': 'กำลัง',
  'Chinese without spaces': '語言',
  markup: '<a href="',
  placeholders: '%_\\',
}
const afterAll = '\u{1f58b}!'

const json = { 'content-type': 'application/json' }
/** Node reads 16 KiB of headers. */
const headerLength = 15_000
const urlLength = 2000

/** Lengths in characters that some field takes to the last one; a body full of text is tried besides. */
export const fieldLengths = [100, 5000, 50_000, 100_000]

interface Sizes {
  bodyLimit: number
  /** Lengths of text that are tried besides a full body. */
  lengths: readonly number[]
  /** Only the texts that were slow once. */
  isShort?: boolean
}

/** Hostile bodies, headers and addresses for one call that is otherwise made rightly. */
export function* hostileRequests(row: CallRow, data: CallData, sizes: Sizes): Generator<HostileRequest> {
  yield* hostileBodies(row, data, sizes)
  const { input, ...made } = row.make(data)
  const { method, url } = requestOf(row, made)
  // With headers and addresses an empty body will do: a right one would be hashed or stored each time.
  const call = { method: String(method), ...(input && { payload: '{}' }) }
  for (const [name, value, part] of hostileHeaders())
    yield { what: `${name}: ${part}`, ...call, url, headers: { ...(input && json), [name]: value } }
  for (const [what, address] of hostileAddresses(url))
    yield { what, ...call, url: address, ...(input && { headers: json }) }
}

export function* hostileBodies(
  row: CallRow,
  data: CallData,
  { bodyLimit, lengths, isShort = false }: Sizes,
): Generator<HostileRequest> {
  const { input, ...made } = row.make(data)
  if (input === undefined) return
  const { method, url } = requestOf(row, made)
  const send = (what: string, payload: string): HostileRequest => ({
    what,
    method: String(method),
    url,
    headers: json,
    payload,
  })
  const chosen = Object.entries(texts).slice(0, isShort ? 3 : undefined)
  const rest = bodyLimit - 500
  for (const [field, right] of Object.entries(input)) {
    const withField = (value: string) => {
      const others = JSON.stringify({ ...row.make(data).input, [field]: undefined }).slice(1)
      return `{"${field}":${value}${others === '}' ? '' : ','}${others}`
    }
    for (const [name, text] of chosen) {
      const filled = (length: number) => {
        const value = JSON.stringify(`${text.repeat(length / text.length)}${afterAll}`)
        return withField(Array.isArray(right) ? `[${value}]` : value)
      }
      const bytes = Buffer.byteLength(JSON.stringify(text)) - 2
      const full = Math.floor(rest / bytes) * text.length
      for (const length of lengths)
        if (length < full) yield send(`${field}: ${length} of ${name}`, filled(length - afterAll.length))
      yield send(`${field}: full of ${name}`, filled(full))
    }
    yield send(`${field}: full of halves of characters`, withField(`"${'\\ud83d'.repeat(rest / 6)}"`))
    yield send(`${field}: full of short items`, withField(`[${'"",'.repeat(rest / 3)}""]`))
    yield send(`${field}: full of numbers`, withField(`[${'1,'.repeat(rest / 2)}1]`))
    yield send(`${field}: full of digits`, withField('1'.repeat(rest)))
  }
  const fields = (name: (at: number) => string) =>
    Array.from({ length: Math.floor(bodyLimit / 16) }, (_, at) => `"${name(at)}":0`).join(',')
  yield send('a body of brackets', '['.repeat(bodyLimit))
  yield send('a body of quotes', '"'.repeat(bodyLimit))
  yield send('a body of braces', '{"a":'.repeat(bodyLimit / 5))
  yield send('a body of backslashes', `{"a":"${'\\'.repeat(rest)}`)
  yield send('a body of spaces', ' '.repeat(bodyLimit))
  yield send('a body of many fields', `{${fields((at) => `field${at}`)}}`)
  yield send('a body of numbered fields', `{${fields((at) => String(at * 64))}}`)
  yield send('a body of empty lists', `{"a":[${'[],'.repeat(rest / 3)}[]]}`)
  yield send('a body of deep lists', `{"a":${'['.repeat(rest / 2)}${']'.repeat(rest / 2)}}`)
}

/** Name, value and what it is full of. */
function* hostileHeaders(): Generator<readonly [string, string, string]> {
  const full = (part: string, end = 'x') => part.repeat(headerLength / part.length) + end
  for (const part of [' ', ',', ';', '; ', 'br;', 'br;q=0', 'gzip, ', '*', ';q=0.', ';q=0 ', ';q=0.0'])
    yield ['accept-encoding', full(part), part]
  yield ['accept-encoding', `br;q=0${full('0')}`, '0']
  for (const part of [',', 'W/', 'W/"",', '"', ' ', '*,']) yield ['if-none-match', full(part), part]
  for (const part of ['a=b;', '=', ';', '%', 'sid=;', 'sid="', ' ', 'a']) yield ['cookie', full(part), part]
  for (const part of [' ', ';', '; charset=utf-8', '"', ' ;']) {
    yield ['content-type', `application/json${full(part)}`, part]
    yield ['content-type', `application/json;charset=utf-8${full(part)}`, `charset, ${part}`]
    yield ['content-type', `application/json;charset="${full(part)}`, `quoted charset, ${part}`]
  }
  for (const name of [
    'idempotency-key',
    'x-forwarded-for',
    'origin',
    'referer',
    'range',
    'accept',
    'last-event-id',
  ])
    for (const part of [',', ' ', '1-,', '.', 'a']) yield [name, full(part), part]
}

function* hostileAddresses(url: string): Generator<readonly [string, string]> {
  const [path = ''] = url.split('?')
  const full = (part: string) => part.repeat((urlLength - path.length - 10) / part.length)
  for (const part of ['a=a&', '&', '=', 'limit=1&', '%25', '%', '+', 'a[]=1&', '%CC%81%CC%A3'])
    yield [`query: ${part}`, `${path}?${full(part)}`]
  for (const name of ['q', 'before', 'limit'])
    for (const [what, text] of Object.entries(texts))
      yield [`${name}: ${what}`, `${path}?${name}=${encodeURIComponent(text.repeat(64 / text.length))}`]
  for (const part of ['a', '-', '%20', '%CC%81%CC%A3', '.', '1']) {
    const [, start = '/'] = /^(.*\/)[^/]+$/.exec(path) ?? []
    yield [`path: ${part}`, `${start}${part.repeat((urlLength - path.length) / part.length)}`]
  }
}

/** Addresses beside the calls of the contract. */
export const otherCalls: readonly { name: string; method: string; url: string }[] = [
  { name: 'GET /', method: 'GET', url: '/' },
  { name: 'GET /feed', method: 'GET', url: '/feed?article=' },
  { name: 'GET /assets', method: 'GET', url: '/assets/x.js' },
  { name: 'GET /health/ready', method: 'GET', url: '/health/ready' },
  { name: 'GET /metrics', method: 'GET', url: '/metrics' },
  { name: 'GET /nowhere', method: 'GET', url: '/nowhere' },
  { name: 'GET /api/logout', method: 'GET', url: '/api/logout' },
  { name: 'POST /api/logout', method: 'POST', url: '/api/logout' },
  { name: 'POST /api/csp-report', method: 'POST', url: '/api/csp-report' },
]

export function* otherHostileRequests({
  method,
  url,
}: {
  method: string
  url: string
}): Generator<HostileRequest> {
  for (const [name, value, part] of hostileHeaders())
    yield { what: `${name}: ${part}`, method, url, headers: { [name]: value } }
  for (const [what, address] of hostileAddresses(url)) yield { what, method, url: address }
  if (url !== '/api/csp-report') return
  for (const type of ['application/csp-report', 'application/reports+json'])
    for (const [what, text] of Object.entries(texts)) {
      const value = text.repeat(4000 / text.length)
      const payload = JSON.stringify({ 'csp-report': { 'document-uri': value, 'blocked-uri': value } })
      yield { what: `${type}: ${what}`, method, url, headers: { 'content-type': type }, payload }
    }
}
