import { Badge } from '#web/ui/Badge.tsx'

/** Says that the person is invented. */
export const SampleBadge = () => <Badge tone="outline">Sample profile</Badge>
