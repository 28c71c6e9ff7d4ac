/** Classes and codes of SQLSTATE that say: not now, and not because of the question. */
const awayClasses = new Set(['08', '53'])
const awayCodes = new Set(['57P01', '57P02', '57P03', '57P05', '58030', '25006'])

const awaySystemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** The texts of the driver for what has no code. */
const awayTexts = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
]

/** True when the database could not be asked, or has no room now: the caller may try again. */
export function isDatabaseAway(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AggregateError && cause.errors.some(isDatabaseAway)) return true
    if (isAway(cause)) return true
  }
  return false
}

/** SQLSTATE of a statement that ran too long, and of one that waited too long for a lock. */
const timeOutCodes = new Set<unknown>(['57014', '55P03'])

/** True when the database gave up on a statement after its time: the caller may try again. */
export function isTimeOut(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && timeOutCodes.has(cause.code)) return true
  return false
}

function isAway(error: Error) {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // A missing file is ENOENT as well; the socket of the database is told by its call.
  if (code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect'
  if (awaySystemCodes.has(code) || awayCodes.has(code)) return true
  if (code.length === 5 && awayClasses.has(code.slice(0, 2))) return true
  return awayTexts.some((text) => error.message.startsWith(text))
}
