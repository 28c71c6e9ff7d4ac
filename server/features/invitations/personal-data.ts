import type { PersonalData } from '#server/feature.ts'
import { lockAcceptancesOf } from './queries.ts'

/** A guest has no rows here. When an account is deleted, foreign keys delete its links and acceptances (S15). */
export const invitationPersonalData: PersonalData = {
  move: async () => {},
  remove: lockAcceptancesOf,
}
