import { DatabaseError } from 'pg'

/** True if a foreign key failed because the account was deleted during the request. */
export function isPersonGone(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof DatabaseError && cause.code === '23503'
}
