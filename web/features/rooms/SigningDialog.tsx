import { useState } from 'react'
import { getSettings } from '#contract/account/settings/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { signatureOf } from './signature.ts'

export interface SigningDialogProps {
  user: User
  title: string
  /** The text of the button. */
  verb: string
  /** How the person signs now. Left out before joining: then the setting of the person is preselected. */
  signsWithName?: boolean
  onChoose: (signsWithName: boolean) => void
  onClose: () => void
}

/** Asks a person how to sign in one room. */
export function SigningDialog({ user, title, verb, signsWithName, onChoose, onClose }: SigningDialogProps) {
  const settings = useEndpoint(getSettings, { enabled: signsWithName === undefined })
  const [chosen, setChosen] = useState<boolean | null>(null)
  // Without the settings the name stays hidden until the person chooses it.
  const fallback = settings.status === 'loading' ? null : (settings.data?.showName ?? false)
  const value = chosen ?? signsWithName ?? fallback
  return (
    <Dialog
      size="field"
      onClose={onClose}
      title={title}
      actions={
        <Button disabled={value === null} onClick={() => value !== null && onChoose(value)}>
          {verb}
        </Button>
      }
    >
      <RadioGroup
        legend="How do you want to sign your passages?"
        value={value === null ? null : value ? 'name' : 'id'}
        onChange={(choice) => setChosen(choice === 'name')}
        options={[
          {
            value: 'id',
            label: signatureOf(user, false),
            hint: 'This name is the same in all Z!mmers. If you sign with your own name in one of them, readers can see whose it is.',
          },
          {
            value: 'name',
            label: signatureOf(user, true),
            hint: 'Everyone who may read this Z!mmer sees your name, in the finished story too.',
          },
        ]}
      />
    </Dialog>
  )
}
