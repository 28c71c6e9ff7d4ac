export { createMagazine, type Magazine } from './routes.ts'
export { issueFiles } from './schema.ts'
