export { roomRoutes } from './routes.ts'
export { roomMembers, rooms } from './schema.ts'
