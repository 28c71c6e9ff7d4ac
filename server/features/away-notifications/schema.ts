import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { personId } from '#server/features/account/index.ts'
import { instant } from '#server/platform/database/columns.ts'

/** What people have chosen about away notifications. A person without a row has the defaults. */
export const awayNotificationChoices = pgTable(
  'notice_choices',
  {
    userId: personId().primaryKey(),
    byMail: boolean().notNull().default(true),
    invitations: boolean().notNull().default(true),
    messages: boolean().notNull().default(true),
    decisions: boolean().notNull().default(true),
    turns: boolean().notNull().default(true),
    weekly: boolean().notNull().default(false),
    /** Hours of a day in the time zone of the person; both or none. */
    quietFrom: integer(),
    quietTo: integer(),
    digestHour: integer(),
    /** Null: that of the instance. */
    timeZone: text(),
    /** When the next weekly digest is due. */
    weeklyAt: instant(),
  },
  (table) => [
    // Serves: the weekly digests that are due.
    index('notice_choices_by_week').on(table.weeklyAt),
  ],
)

/** Who has caused a mail to whom within a day, so that nobody causes mails to many people. */
export const awayNotificationCauses = pgTable(
  'notice_causes',
  {
    causerId: personId(),
    userId: personId(),
    at: instant().notNull(),
  },
  (table) => [
    // Serves: how many people have got a mail because of a person.
    primaryKey({ columns: [table.causerId, table.userId] }),
    // Serves: the deletion of an account.
    index('notice_causes_of_person').on(table.userId),
    // Serves: the purge.
    index('notice_causes_by_time').on(table.at),
  ],
)
