import { sql } from 'drizzle-orm'
import { deletedAuthorName } from '#contract/feed/post.ts'
import type { PersonalData } from '#server/feature.ts'

/**
 * A guest reports nothing and has no published text, so nothing is moved. When an account is deleted (S15), closed
 * reports about the person, about asides of the person and about messages from or to the person are deleted. An open one stays
 * until an admin has closed it: nobody escapes a report by leaving. Reports about posts and passages stay without the name, as the posts and passages do. Reports by the person stay without the name and without the words of the person.
 */
export const abuseReportPersonalData: PersonalData = {
  async remove(db, personId) {
    // In one order for everybody: people who have reported each other can delete their accounts at the same time.
    await db.execute(sql`
      select 1 from abuse_reports where reporter_id = ${personId} or reported_id = ${personId} or closed_by_id = ${personId}
      order by id for update`)
    await db.execute(sql`
      delete from abuse_reports where closed_at is not null and ((kind in ('message', 'aside', 'person') and reported_id = ${personId})
        or (kind = 'message' and reporter_id = ${personId}))`)
    // Of a person, `target_id` is the id of the account. The id of the report takes its place, because two open reports of one
    // reporter must differ. A copy without `author_username` contains the names and may be encrypted, so that copy is dropped.
    // One statement: a second update of a row in the transaction would wait for the account of the reporter, and deadlock.
    await db.execute(sql`
      update abuse_reports set reported_id = null, author_name = ${deletedAuthorName}, author_username = null,
        target_id = case kind when 'person' then id::text else target_id end,
        content = case when kind <> 'person' or author_username is not null then content end
      where reported_id = ${personId}`)
    await db.execute(sql`
      update abuse_reports set reporter_id = null, reason = null where reporter_id = ${personId}`)
  },
}
