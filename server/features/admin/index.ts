export { adminRoutes } from './routes.ts'
export { statsRoutes } from './stats.ts'
