import { useAppConfig } from '#web/lib/app-config.ts'
import { Wordmark } from '#web/ui/Wordmark.tsx'

export function Footer() {
  const { companyName } = useAppConfig()
  return (
    <footer className="px-6 pt-12 pb-6 text-center text-xs text-ink-soft">
      {companyName !== 'Z!mmer' && (
        <>
          <Wordmark /> ·{' '}
        </>
      )}
      © 2025 {companyName}
    </footer>
  )
}
