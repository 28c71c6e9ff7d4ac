import { Skeleton } from './Skeleton.tsx'

interface SkeletonsProps {
  /** Tells a screen reader what is loading. */
  label?: string
  count: number
  /** The size of each. */
  each: string
  className?: string
}

/** Holds the places of the items of a list that is loading. */
export const Skeletons = ({ label, count, each, className = 'flex flex-col gap-3' }: SkeletonsProps) => (
  <div role={label && 'status'} aria-label={label} className={className}>
    {Array.from({ length: count }, (_, place) => (
      <Skeleton key={place} className={each} />
    ))}
  </div>
)
