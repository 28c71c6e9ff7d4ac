export { type DiaryKeeper, useDiaryDays, useDiaryKeeper } from './diary-days.ts'
export { rememberGuest } from './guest-of-person.ts'
export { OnlyHere } from './OnlyHere.tsx'
export { diaryPath } from './path.ts'
