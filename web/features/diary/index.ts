export { type DiaryKeeper, useDiaryDays, useDiaryKeeper } from './diary-days.ts'
export { diaryPath } from './path.ts'
