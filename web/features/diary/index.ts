export { type DiaryKeeper, useDiaryDays, useDiaryKeeper } from './diary-days.ts'
export { OnlyHere } from './OnlyHere.tsx'
export { diaryPath } from './path.ts'
