import { type FormEvent, useState } from 'react'
import { changePassword } from '#contract/account/endpoints.ts'
import { passwordLength, passwordMessage } from '#contract/account/rules.ts'
import { lengthInCodePoints } from '#contract/text.ts'
import { sentenceOf, useAction } from '#web/lib/api.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { useToast } from '#web/ui/toasts.tsx'

const failed = 'Failed to change password'

/** Only one field: the server accepts a recent sign-in instead of the old password, and asks for a new one later. */
export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const [newPassword, setNewPassword] = useState('')
  const [error, setError] = useState<string>()
  const toast = useToast()
  const change = useAction(changePassword)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const wrong = faultOf(newPassword)
    setError(wrong)
    if (wrong !== undefined) return
    const changed = await change.attempt({ input: { newPassword } }, (refusal) =>
      toast({ title: failed, description: sentenceOf(refusal, failed), tone: 'destructive' }),
    )
    if (!changed) return
    toast({ title: 'Password changed successfully', description: 'Your password has been updated.' })
    onClose()
  }
  return (
    <Dialog onClose={onClose} title="Change Password" size="field" startsInField>
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          value={newPassword}
          error={error}
          onChange={(event) => setNewPassword(event.target.value)}
        />
        <Button type="submit" busy={change.status === 'running'}>
          Change Password
        </Button>
      </form>
    </Dialog>
  )
}

function faultOf(password: string): string | undefined {
  if (password === '') return 'New password is required'
  return lengthInCodePoints(password) < passwordLength.min ? passwordMessage : undefined
}
