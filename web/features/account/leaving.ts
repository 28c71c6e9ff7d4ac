import { useState } from 'react'
import { deleteAccount, logout } from '#contract/account/endpoints.ts'
import { removeLocalCopies } from '#web/lib/local-copies.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { send } from '#web/lib/request.ts'
import { forgetSession } from '#web/lib/session-storage.ts'
import { hasUnsavedWork } from '#web/lib/unsaved-work.ts'
import { useConfirm } from '#web/ui/alerts.tsx'
import { useSession } from './session.ts'

const redirectAfterMs = 100
const enableAfterMs = 500

/** The ways out: both sign-outs and deleting the account. */
export function useLeaving() {
  const confirm = useConfirm()
  const { user } = useSession()
  const [isSigningOut, setIsSigningOut] = useState(false)

  const mayLeave = async () =>
    !hasUnsavedWork() ||
    (await confirm({
      text: 'Some of your text is not saved yet. Signing out removes it from this device.',
      verb: 'Sign out anyway',
      danger: true,
    }))

  /** What this browser knows of the person, in the page and in storage. */
  const forget = () => {
    if (user) removeLocalCopies(user.id)
    forgetSession()
    queryClient.clear()
  }

  return {
    isSigningOut,
    /** 'Sign Out' of the header: asks the server, then leads to onboarding. */
    signOut: async () => {
      if (!(await mayLeave())) return
      setIsSigningOut(true)
      setTimeout(() => setIsSigningOut(false), enableAfterMs)
      try {
        await send(logout)
      } catch (error) {
        console.error('Logout failed', error)
        return
      }
      forget()
      setTimeout(() => location.assign('/?onboarding=true'), redirectAfterMs)
    },
    /** 'Log Out' of the bottom bar: the browser itself goes to the server, which ends the session. */
    logOut: async () => {
      if (!(await mayLeave())) return
      forget()
      location.assign('/api/logout')
    },
    /** Asks first; what the server refuses is thrown. */
    removeAccount: async (before: () => Promise<void> = async () => {}) => {
      const isSure = await confirm({
        text: 'Are you sure you want to delete your account? This action cannot be undone.',
        verb: 'Delete',
        danger: true,
      })
      if (!isSure) return
      await before()
      await send(deleteAccount)
      forget()
      location.assign('/')
    },
  }
}
