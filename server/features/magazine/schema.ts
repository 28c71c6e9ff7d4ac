import { pgTable, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#server/platform/database/columns.ts'

/** The issues of the literary magazine. Each has a file; the audit log alone says who uploaded it. */
export const magazineIssues = pgTable('magazine_issues', {
  id: uuid().primaryKey(),
  uploadedAt: instant().notNull(),
})
