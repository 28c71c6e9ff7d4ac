export { findPageName, mayReadPage } from './queries.ts'
export { peopleRoutes } from './routes.ts'
