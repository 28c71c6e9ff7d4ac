import { DrizzleQueryError } from 'drizzle-orm'
import { DatabaseError } from 'pg'
import { type DestinationStream, pino } from 'pino'

/** JSON lines without content, addresses or cookies: what may be logged is listed where it is logged. */
export const createLog = (level: string, destination?: DestinationStream) =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { req: () => undefined, res: () => undefined, err: describeError },
    },
    destination,
  )

/** What went wrong and where. The texts of the database repeat the values of a row, so that only its codes stay. */
function describeError(error: unknown): object {
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

function detailOf(error: Error) {
  if (error instanceof DrizzleQueryError) return { query: error.query }
  if (error instanceof DatabaseError) {
    const { code, schema, table, column, constraint, routine } = error
    return { code, schema, table, column, constraint, routine }
  }
  return { message: error.message, ...('code' in error && { code: error.code }) }
}
