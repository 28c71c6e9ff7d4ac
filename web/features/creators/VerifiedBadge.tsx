import { BadgeCheck } from 'lucide-react'
import { Badge } from '#web/ui/Badge.tsx'

export const VerifiedBadge = () => (
  <Badge tone="koenig" className="font-sans">
    <BadgeCheck aria-hidden className="size-3.5" />
    Verified
  </Badge>
)
