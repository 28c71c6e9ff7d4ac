import type { Feature } from '#server/feature.ts'
import { peopleRoutes } from './routes.ts'

export { findPageName, findPersonPage, mayReadPage } from './queries.ts'
export { type ListCursors, findPersonTexts, type PersonTexts } from './texts.ts'

export const feature = { start: () => ({ routes: peopleRoutes() }) } satisfies Feature
