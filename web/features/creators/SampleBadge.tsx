import { Badge } from '#web/ui/Badge.tsx'

export const SampleBadge = () => <Badge tone="outline">Sample profile</Badge>
