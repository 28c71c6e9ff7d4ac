import { ShieldMinus, ShieldPlus } from 'lucide-react'
import { adminPasswordMinLength } from '#contract/account/rules.ts'
import type { AdminUser } from '#contract/admin/endpoints.ts'
import { sentenceOf } from '#web/lib/api.ts'
import { useConfirm } from '#web/ui/alerts.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { useAddModerator, useRemoveModerator } from './users.ts'

interface ModeratorButtonProps {
  user: AdminUser
  name: string
  className: string
}

/** Makes a person a moderator, or takes the right away. */
export function ModeratorButton({ user: { id, isModerator }, name, className }: ModeratorButtonProps) {
  const adding = useAddModerator()
  const removing = useRemoveModerator()
  const { attempt, status } = isModerator ? removing : adding
  const confirm = useConfirm()
  const toast = useToast()
  const change = async () => {
    const isSure = await confirm(
      isModerator
        ? { text: `Take the right of a moderator from ${name}? All their sessions end.`, verb: 'Take away' }
        : {
            text: `Make ${name} a moderator? ${name} can then review posts and reports, and suspend people. All their sessions end. The next sign-in needs a passcode of at least ${adminPasswordMinLength} characters that is not common. If theirs is too weak, make a reset link for them.`,
            verb: 'Make a moderator',
          },
    )
    if (!isSure) return
    const done = await attempt({ params: { id } }, (error) =>
      toast({ title: sentenceOf(error, 'Nothing was changed. Try again.'), tone: 'destructive' }),
    )
    if (done) toast({ title: isModerator ? `${name} is no moderator any more` : `${name} is a moderator` })
  }
  return (
    <IconButton
      label={isModerator ? `Take the right of a moderator from ${name}` : `Make ${name} a moderator`}
      icon={isModerator ? ShieldMinus : ShieldPlus}
      busy={status === 'running'}
      onClick={() => void change()}
      className={className}
    />
  )
}
