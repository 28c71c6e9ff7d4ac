import type { OwnSuspension } from '#contract/account/suspensions/endpoints.ts'
import { zoneSentence } from '#web/features/posts/index.ts'
import { Export } from '#web/features/your-words/index.ts'
import { SuspendedUntil } from './SuspendedUntil.tsx'

/** Says to a suspended person why, and until when, which is announced when it appears, and offers an export. */
export function SuspendedNotice({ suspension }: { suspension: OwnSuspension }) {
  const { reason, until, hidesTexts, exportToken } = suspension
  return (
    <div className="flex flex-col gap-4 rounded-md border border-bad bg-sunk px-4 py-3 text-sm">
      <div role="alert" className="flex flex-col gap-2">
        <p className="font-medium text-bad">
          Your account is suspended <SuspendedUntil until={until} />.
        </p>
        <p dir="auto" className="font-serif whitespace-pre-wrap wrap-anywhere">
          {reason}
        </p>
        <p className="text-ink-soft">
          {until !== null && `Then you can sign in again. ${zoneSentence()} `}
          {hidesTexts && 'Meanwhile nobody can read what you have published. '}
          Unsent text stays in this browser.
        </p>
      </div>
      <Export by={{ token: exportToken }} />
    </div>
  )
}
