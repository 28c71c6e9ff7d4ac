export { changeDiaryKey, encryptedDays } from './change-key.ts'
export { bytes, dayText, writer } from './columns.ts'
export {
  type DayText,
  type DayTexts,
  findDayText,
  readInstants,
  readDayTexts,
  removeDayTexts,
  saveDayText,
} from './day-texts.ts'
export { encryptedTable, type EncryptedTable } from './encrypted-table.ts'
export {
  findDiaryKeyId,
  findKeyState,
  isKeyCurrent,
  textKeyFact,
  openVault,
  vaultLocked,
  Vault,
} from './vault.ts'
