/** The advisory locks that processes of this program take in the database. Each has a number of its own. */
export const lockKeys = {
  migrations: 8_120_026,
  timeZone: 8_120_027,
  dailyBackup: 8_120_028,
  password: 8_120_029,
} as const
