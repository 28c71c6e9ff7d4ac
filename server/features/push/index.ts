import type { Feature } from '#server/feature.ts'

export { type Push, queuePush } from './queue.ts'

export const feature = { start: () => ({}) } satisfies Feature
