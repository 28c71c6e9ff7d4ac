export { addPreviews } from './routes.ts'
