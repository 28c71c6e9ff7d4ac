/** The address of a day in the writing view. */
export const diaryPath = (day: string): string => `/diary?day=${day}`

export const paperPath = (day: string): string => `/diary?view=paper&day=${day}`

/** The address of the search in the own diary. */
export const searchPath = '/diary?view=search'

/** The addresses of what a search has found. They name no word of the search, because a server would get it. */
export const foundDayPath = (day: string): string => `${paperPath(day)}&found`
export const foundNotePath = (day: string): string => `${notePath(day)}&found`

/** The address of a day in the calendar, which shows its note. */
export const notePath = (day: string): string => `/calendar?day=${day}`
