export { createCovers } from './routes.ts'
