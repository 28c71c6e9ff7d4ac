export { diaryBelongings } from './belongings.ts'
export { diaryRoutes } from './routes.ts'
export { diaryEntries, diaryTexts } from './schema.ts'
