export { findPageName, findPersonPage, mayReadPage } from './queries.ts'
export { peopleRoutes } from './routes.ts'
export { type ListCursors, findPersonTexts, type PersonTexts } from './texts.ts'
