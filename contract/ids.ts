/** Everything but people: UUIDv7 in canonical lower case. */
export const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export const isId = (id: string): boolean => idPattern.test(id)

/** 10 characters of lower-case Crockford base32. */
export const personIdPattern = /^[0-9a-hjkmnp-tv-z]{10}$/

export const isPersonId = (id: string): boolean => personIdPattern.test(id)
