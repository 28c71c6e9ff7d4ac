import type { Db } from '#server/platform/database/pool.ts'

/** What a feature keeps for a person: it goes along when a guest signs up, and away when an account leaves. */
export interface Belongings {
  move(db: Db, fromPersonId: string, toPersonId: string): Promise<void>
  remove(db: Db, personId: string): Promise<void>
}
