import type { Feature } from '#server/feature.ts'
import { addPreviews, type Deps } from './routes.ts'

export const feature = {
  start: (deps: Deps) => ({ serve: (server) => addPreviews(server, deps) }),
} satisfies Feature
