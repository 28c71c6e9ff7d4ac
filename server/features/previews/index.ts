import type { Feature } from '#server/feature.ts'
import { addPreviews } from './routes.ts'

export const feature = {
  start: (deps: Parameters<typeof addPreviews>[1]) => ({ serve: (server) => addPreviews(server, deps) }),
} satisfies Feature
