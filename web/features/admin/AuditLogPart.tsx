import { Link } from 'wouter'
import { buttonClass } from '#web/ui/Button.tsx'
import { failedLine, part } from '#web/ui/part.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

const AuditLog = part(
  async () => (await import('./AuditLog.tsx')).AuditLog,
  failedLine,
  () => <Skeleton className="h-96" />,
)

/** The audit log, whose script is fetched when it is opened. */
export function AuditLogPart() {
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl">Audit log</h1>
        <Link href="/admin" className={buttonClass('quiet')}>
          ← Admin Panel
        </Link>
      </div>
      <AuditLog />
    </div>
  )
}
