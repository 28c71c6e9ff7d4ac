import { useAppConfig } from '#web/lib/app-config.ts'
import { Wordmark } from '#web/ui/Wordmark.tsx'

export function Footer() {
  // Drawn once: without the memo code of the compiler the first file is smaller.
  'use no memo'
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
