import { DrizzleQueryError } from 'drizzle-orm'
import { DatabaseError } from 'pg'

/**
 * What went wrong and where. A failed query holds its parameters, and the texts of the database repeat the values of a
 * row: of these errors only statement, codes and names are told (S5).
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { name, stack = '', cause } = error
  return {
    type: name,
    ...detailOf(error),
    // The first lines of a stack are the message again.
    stack: stack.split('\n').filter((line) => /^\s+at /.test(line)),
    ...(cause !== undefined && { cause: describeError(cause) }),
  }
}

/** The sentence of an error for the person who started a command, and may have named a file. */
export const sentenceOf = (error: unknown): string =>
  (error instanceof Error ? fileSentence(error) : undefined) ?? messageOf(error)

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Something went wrong.'
  if (error instanceof DrizzleQueryError) return messageOf(error.cause)
  // A name with several addresses, none of which answers, is such an error. It has no message of its own.
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0])
  if (!(error instanceof DatabaseError)) return error.message
  const { message, code, table, constraint } = namesOf(error)
  const names = [code && `code ${code}`, table && `table ${table}`, constraint && `constraint ${constraint}`]
  return `The database refused: ${message ?? 'an error'} (${names.filter(Boolean).join(', ')}).`
}

/** The sentence about a file that a command cannot open. Undefined for every other error. */
function fileSentence({ code, syscall, path }: NodeJS.ErrnoException): string | undefined {
  if (code === 'EISDIR') return `${path} is a folder: name a file.`
  if (syscall !== 'open' && syscall !== 'stat') return undefined
  if (code === 'ENOENT' || code === 'ENOTDIR') return `There is no file ${path}.`
  if (code === 'EACCES') return `This account may not open ${path}.`
  return undefined
}

/** An error that nobody expected, with its causes as text for standard error. A file keeps its code: no person has named it. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return messageOf(error)
  const { stack = '', cause } = error
  const at = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return [
    `${error.name}: ${messageOf(error)}`,
    ...at,
    ...(cause === undefined ? [] : [`caused by ${errorText(cause)}`]),
  ].join('\n')
}

function detailOf(error: Error) {
  if (error instanceof DrizzleQueryError) return { query: error.query }
  if (error instanceof DatabaseError) return namesOf(error)
  return { message: error.message, ...('code' in error && { code: error.code }) }
}

/**
 * Classes of SQLSTATE whose messages are about connections, rights, limits and names of tables: they repeat no value
 * of a row.
 */
const classesWithoutValues = new Set(['08', '25', '28', '3D', '40', '42', '53', '55', '57', '58'])

function namesOf(error: DatabaseError) {
  const { message, code = '', schema, table, column, constraint, routine } = error
  const isTold = classesWithoutValues.has(code.slice(0, 2))
  return { ...(isTold && { message }), code, schema, table, column, constraint, routine }
}
