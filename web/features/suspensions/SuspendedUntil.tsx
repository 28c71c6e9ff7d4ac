import { LocalTime } from '#web/features/posts/index.ts'

/** 'until' with the time in the time zone of the reader, or 'for good'. */
export const SuspendedUntil = ({ until }: { until: string | null }) =>
  until === null ? (
    'for good'
  ) : (
    <>
      until <LocalTime at={until} />
    </>
  )
