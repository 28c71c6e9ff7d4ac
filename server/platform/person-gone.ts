import { DatabaseError } from 'pg'
import type { Db } from '#server/platform/database/pool.ts'

/** What a feature does with its data of a person when a guest signs up and when an account is deleted. */
export interface PersonalData {
  /** From a guest to the new account of the same person. */
  move(db: Db, fromPersonId: string, toPersonId: string): Promise<void>
  /** `afterCommit` takes work that waits until the removal is on disk. */
  remove(db: Db, personId: string, afterCommit: (work: () => void) => void): Promise<void>
}

/** True if a foreign key failed because the account was deleted during the request. */
export function isPersonGone(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof DatabaseError && cause.code === '23503'
}
