/** A time of day as a field of a form has it, such as `09:05`, by the clock of this device. */
export const timeInField = (at: Date): string =>
  [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
