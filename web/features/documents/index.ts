export { Documents } from './Documents.tsx'
