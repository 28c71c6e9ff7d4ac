import { useFollowedInvitation } from './api.ts'
import { useToken } from '#web/lib/address-token.ts'

/** Who invites, above the onboarding of a person who has followed a link. Nothing when the link is over. */
export function InvitedBy() {
  const { data } = useFollowedInvitation(useToken())
  if (!data) return null
  return (
    <p className="font-serif text-lg text-balance wrap-anywhere">
      <bdi className="font-semibold">{data.inviterName}</bdi> invites you.
    </p>
  )
}
