import { UploadsUnavailable } from '../uploads/upload-store.ts'

/** Classes and codes of SQLSTATE that the state of the database causes, not the statement. */
const unavailableClasses = new Set(['08', '53'])
const unavailableCodes = new Set(['57P01', '57P02', '57P03', '57P05', '58030', '25006'])

const unavailableSystemCodes = new Set([
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

/** Messages of the driver for errors without a code. */
const unavailableMessages = [
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
]

/** True when the database could not be reached or lacks resources at the moment. The caller may retry. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // The service of the uploads fails with the same system errors.
    if (cause instanceof UploadsUnavailable) return false
    if (cause instanceof AggregateError && cause.errors.some(isDatabaseUnavailable)) return true
    if (isUnavailable(cause)) return true
  }
  return false
}

/**
 * SQLSTATE of errors that the same connection answers again and again: its transaction has failed, or the result of a prepared
 * statement has changed by a migration, or the server does not have the prepared statement that the driver knows.
 */
const lastingCodes = new Set(['25P02', '0A000', '26000'])

/**
 * Whether the connection on which an error occurred can be used further. A server that is silent, ends or can only be read may
 * no longer be the primary: the next connection finds it. A server that lacks disk space or memory goes on answering.
 */
export function mayKeepConnection(error: unknown): boolean {
  const codes = codesOf(error)
  if (codes.some((code) => lastingCodes.has(code))) return false
  return !isDatabaseUnavailable(error) || codes.some((code) => /^53...$/.test(code))
}

function codesOf(error: unknown): string[] {
  const codes: string[] = []
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string') codes.push(cause.code)
  return codes
}

/** Does some work that is repeated. A failure is ignored while the database is unavailable: the next run tries again. */
export async function ifAvailable(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
  }
}

/**
 * Does some work for each item. An item whose work fails does not keep the others from theirs: its failure is thrown at the
 * end. While the database is unavailable the work fails for all, so that the first failure is thrown at once.
 */
export async function doForEach<Item>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  for (const item of items) {
    if (signal.aborted) return
    try {
      await work(item)
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/** SQLSTATE of a statement that ran too long, and of one that waited too long for a lock. */
const timeOutCodes = new Set(['57014', '55P03'])

/** True when the database cancelled a statement after its timeout. The caller may retry. */
export const isTimeOut = (error: unknown): boolean => codesOf(error).some((code) => timeOutCodes.has(code))

function isUnavailable(error: Error) {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // Any missing file is ENOENT. The system call shows that it is the socket of the database.
  if (code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect'
  if (unavailableSystemCodes.has(code) || unavailableCodes.has(code)) return true
  // A server that cannot store what it knows of its catalog, because its disk is full, ends each new connection.
  if (code === 'XX000') return 'routine' in error && error.routine === 'write_item'
  if (code.length === 5 && unavailableClasses.has(code.slice(0, 2))) return true
  return unavailableMessages.some((text) => error.message.startsWith(text))
}
