import { getTableName } from 'drizzle-orm'
import { pgTable, uuid } from 'drizzle-orm/pg-core'
import type { FileKind } from '#server/platform/backup/backup.ts'
import { instant } from '#server/platform/database/columns.ts'

/** The issues of the literary magazine. Each has a file; the audit log alone says who uploaded it. */
export const magazineIssues = pgTable('magazine_issues', {
  id: uuid().primaryKey(),
  uploadedAt: instant().notNull(),
})

export const issueFiles: FileKind = {
  kind: 'magazine',
  extension: '.pdf',
  table: getTableName(magazineIssues),
}
