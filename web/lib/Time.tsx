import { useAppConfig } from '#web/lib/app-config.tsx'

/** A moment, in the time zone of the installation. */
export function Time({ at }: { at: string }) {
  const { timeZone } = useAppConfig()
  return (
    <time dateTime={at}>
      {new Date(at).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone })}
    </time>
  )
}
