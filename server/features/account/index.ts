export { users, emails } from './schema.ts'
