import { Skeleton } from '#web/ui/Skeleton.tsx'

/** Shown until a conversation is loaded. */
export function WaitingMessages() {
  return (
    <div role="status" aria-label="Loading the messages" className="flex flex-col gap-4 pt-2">
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-14 w-3/5" />
      <Skeleton className="h-20 w-3/5 self-end" />
      <Skeleton className="h-14 w-2/5" />
      <Skeleton className="h-14 w-1/2 self-end" />
    </div>
  )
}
