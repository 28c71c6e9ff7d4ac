/** Stands in the place of a passage whose text was erased or is hidden. It is no part of the story. */
export const ErasedMark = ({ mark }: { mark: string }) => (
  <p lang="en" className="my-1 max-w-reading font-sans text-sm text-ink-soft italic">
    {mark}
  </p>
)
