export { createMagazine, type Magazine } from './routes.ts'
