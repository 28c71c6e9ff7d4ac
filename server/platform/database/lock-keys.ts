/** The keys of the advisory locks that this program takes in the database. */
export const lockKeys = {
  migrations: 8_120_026,
  timeZone: 8_120_027,
  dailyBackup: 8_120_028,
  password: 8_120_029,
} as const
