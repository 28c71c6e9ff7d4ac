export const personPath = (id: string): string => `/people/${id}`

export type PersonList = 'posts' | 'stories'

/** The address of the page of a person on which a list begins after a cursor. */
export const olderTextsPath = (id: string, list: PersonList, before: string): string =>
  `${personPath(id)}?${list}-before=${before}`
