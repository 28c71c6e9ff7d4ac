/** Stands in place of the decisions about an own post of a moderator. */
export const OwnPostLine = () => (
  <p className="text-sm text-ink-soft">Your own post: an admin or another moderator decides about it.</p>
)
