/** Where a day stands in the diary. */
export const diaryPath = (day: string): string => `/diary?day=${day}`
