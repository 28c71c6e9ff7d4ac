export { calendarPersonalData } from './personal-data.ts'
export { calendarRoutes } from './routes.ts'
export { calendarNotes, calendarTexts } from './schema.ts'
