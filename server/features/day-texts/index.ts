export { changeDiaryKey } from './change-key.ts'
export { dayText, writer } from './columns.ts'
export {
  type DayText,
  type DayTexts,
  findDayText,
  readBase,
  readDayTexts,
  removeDayTexts,
  saveDayText,
} from './day-texts.ts'
export { openVault, type Vault } from './vault.ts'
