import { type ReactNode, useState } from 'react'
import { loadChangePasswordDialog, useLeaving } from '#web/features/account/index.ts'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'
import { AccountRow, actionClass } from './AccountRow.tsx'

/** The row of the bottom bar for a person with an account or a guest. A visitor fetches none of it. */
export function PersonBar({ isGuest, children }: { isGuest: boolean; children?: ReactNode }) {
  const { logOut, removeAccount } = useLeaving()
  const [isChangingPassword, setIsChangingPassword] = useState(false)
  const [hasDeletionFailed, setHasDeletionFailed] = useState(false)

  const removeGuest = () => {
    setHasDeletionFailed(false)
    removeAccount().catch(() => setHasDeletionFailed(true))
  }
  return (
    <>
      {hasDeletionFailed && <QuietLine text="Your account could not be deleted." onTryAgain={removeGuest} />}
      <AccountRow>
        {children}
        {isGuest ? (
          <button type="button" className={actionClass} onClick={removeGuest}>
            Delete
          </button>
        ) : (
          <>
            <button type="button" className={actionClass} onClick={() => setIsChangingPassword(true)}>
              Change Password
            </button>
            <button type="button" className={actionClass} onClick={() => void logOut()}>
              Log Out
            </button>
          </>
        )}
      </AccountRow>
      {isChangingPassword && <ChangePasswordDialog onClose={() => setIsChangingPassword(false)} />}
    </>
  )
}

const ChangePasswordDialog = part(loadChangePasswordDialog, failedDialog)
