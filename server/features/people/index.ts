export { findPageName, findPersonPage } from './queries.ts'
export { peopleRoutes } from './routes.ts'
export { findPersonTexts, type PersonTexts } from './texts.ts'
