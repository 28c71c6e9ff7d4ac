import { sql } from 'drizzle-orm'
import { deletedAuthorName } from '#contract/feed/post.ts'
import type { PersonalData } from '#server/platform/personal-data.ts'

/**
 * A guest reports nothing and has no published text, so nothing is moved. When an account is deleted (S15), reports about
 * the person are deleted, and so are closed ones about messages from or to the person. An open report about a message stays
 * until an admin has closed it: nobody escapes a report by leaving. Reports about posts and passages stay without the name, as
 * the posts and passages do. Reports by the person stay without the name and without the words of the person.
 */
export const abuseReportPersonalData: PersonalData = {
  move: async () => {},
  async remove(db, personId) {
    // In one order for everybody: people who have reported each other can delete their accounts at the same time.
    await db.execute(sql`
      select from abuse_reports where reporter_id = ${personId} or reported_id = ${personId} or closed_by_id = ${personId}
      order by id for update`)
    await db.execute(sql`
      delete from abuse_reports where (kind = 'person' and reported_id = ${personId})
        or (kind = 'message' and closed_at is not null and (reported_id = ${personId} or reporter_id = ${personId}))`)
    await db.execute(sql`
      update abuse_reports set reported_id = null, author_name = ${deletedAuthorName} where reported_id = ${personId}`)
    await db.execute(sql`
      update abuse_reports set reporter_id = null, reason = null where reporter_id = ${personId}`)
  },
}
