export { findPageName, findPersonPage, mayReadPage } from './queries.ts'
export { peopleRoutes } from './routes.ts'
