/** The address of a day in the writing view. */
export const diaryPath = (day: string): string => `/diary?day=${day}`

/** The address of a day in the paper view. */
export const paperPath = (day: string): string => `/diary?view=paper&day=${day}`

/** The address of a day in the calendar, which shows its note. */
export const notePath = (day: string): string => `/calendar?day=${day}`
