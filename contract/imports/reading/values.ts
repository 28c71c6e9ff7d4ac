// Values of a JSON file of another program: nothing about them is certain.

export type Fields = Record<string, unknown>

/** The fields of an object; none for every other value. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** A list; an empty one for every other value. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** A text; '' for every other value. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** False for null, undefined and an empty object or list. */
export const hasValue = (value: unknown): boolean =>
  value !== null && value !== undefined && (typeof value !== 'object' || Object.keys(value).length > 0)
