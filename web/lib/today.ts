const twoDigits = (part: number) => String(part).padStart(2, '0')

/** The day of an instant in the time zone of this device. The parts of a `Date` cost far less than `Intl`. */
export const dayHere = (at: Date): string =>
  `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`

/** Today in the time zone of this device. Texts of a day use it, not the time zone of the application. */
export const todayHere = (): string => dayHere(new Date())
