export { localNotes } from './local-notes.ts'
