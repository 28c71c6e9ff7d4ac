export { calendarBelongings } from './belongings.ts'
export { calendarRoutes } from './routes.ts'
export { calendarNotes, calendarTexts } from './schema.ts'
