export const peopleErrors = {
  /** The same answer for a page that is off, of a guest, of somebody blocked and of nobody. */
  PersonNotFound: { status: 404, error: 'This person has no page.' },
} as const
