export { createCovers } from './routes.ts'
export { coverFiles } from './schema.ts'
