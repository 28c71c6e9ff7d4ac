/** 10 characters of lower-case Crockford base32. */
export const personIdPattern = /^[0-9a-hjkmnp-tv-z]{10}$/

export const isPersonId = (id: string): boolean => personIdPattern.test(id)
