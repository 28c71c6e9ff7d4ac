export { diaryPersonalData } from './personal-data.ts'
export { diaryRoutes } from './routes.ts'
export { diaryEntries, diaryTexts } from './schema.ts'
