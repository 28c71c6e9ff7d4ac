import { erasedMark } from '#contract/rooms/room.ts'

/** Stands in the place of a passage whose text was erased. It is no part of the story. */
export const ErasedMark = () => (
  <p lang="en" className="my-1 max-w-reading font-sans text-sm text-ink-soft italic">
    {erasedMark}
  </p>
)
