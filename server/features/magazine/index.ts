import type { Feature } from '#server/feature.ts'
import { createMagazine, purgeIssues } from './routes.ts'
import { issueFiles } from './schema.ts'

export const feature = {
  files: issueFiles,
  purges: { 'the magazine': purgeIssues },
  start: createMagazine,
} satisfies Feature
