import { DatabaseError } from 'pg'

/** True if a statement would have added a second row where a key allows one. */
export function isUniqueViolation(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof DatabaseError && cause.code === '23505'
}
