import { loadInstanceLinks } from '#web/features/instance/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { failedLine, part } from '#web/ui/part.tsx'
import { Wordmark } from '#web/ui/Wordmark.tsx'

export function Footer() {
  const { companyName, instance } = useAppConfig()
  return (
    // Invisible while a page loads: a page that is longer than the window would push it away in sight of the reader.
    <footer className="px-6 pt-12 pb-6 text-center text-xs text-ink-soft [main:has([data-waiting])+&]:invisible noscript:visible!">
      {companyName !== 'Z!mmer' && (
        <>
          <Wordmark /> ·{' '}
        </>
      )}
      © 2025 {companyName}
      {instance && <InstanceLinks />}
    </footer>
  )
}

export const InstanceLinks = part(loadInstanceLinks, failedLine)
