import type { Feature } from '#server/feature.ts'
import { createCovers, purgeCovers } from './routes.ts'
import { coverFiles } from './schema.ts'

export { assignCoverAt, eraseCover } from './routes.ts'

export const feature = {
  files: coverFiles,
  purges: { 'the covers': purgeCovers },
  start: createCovers,
} satisfies Feature
