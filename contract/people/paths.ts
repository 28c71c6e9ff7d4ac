/** The address of the page of a person. */
export const personPath = (id: string): string => `/people/${id}`
