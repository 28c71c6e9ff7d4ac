import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteAccount, getMe, logout } from '#contract/account/endpoints.ts'
import { keyOf, useAction } from '#web/lib/api.ts'
import { hasUnsavedText, removeLocalCopies } from '#web/lib/local-copies.ts'
import { forgetSession, readKey } from '#web/lib/session-storage.ts'
import { useAlert, useConfirm } from '#web/ui/alerts.tsx'
import { useSession } from './session.ts'

const redirectAfterMs = 100
const enableAfterMs = 500

/** The ways out: both sign-outs and deleting the account. */
export function useLeaving() {
  const client = useQueryClient()
  const alert = useAlert()
  const confirm = useConfirm()
  const { user } = useSession()
  const ending = useAction(logout)
  const deletion = useAction(deleteAccount)
  const [isSigningOut, setIsSigningOut] = useState(false)

  const owners = () => [user?.id, readKey('guestId')].filter((id) => id != null)
  const mayLeave = async (verb: string) => {
    try {
      if (!(await hasUnsavedText(owners()))) return true
    } catch {
      // Text that cannot be removed must not stay on the device without a word (S48).
      await alert('Drafts on this device could not be removed. Check the connection and try again.')
      return false
    }
    return confirm({
      text: 'Some of your text is not saved yet, and this removes it from this device.',
      verb,
      danger: true,
    })
  }

  /** What this browser knows of the person, in the page and in storage. */
  const forget = async () => {
    for (const id of owners()) await removeLocalCopies(id)
    forgetSession()
    client.clear()
    // The cookie may outlive this by a moment: nobody is asked for again.
    client.setQueryData(keyOf(getMe), null)
  }

  return {
    isSigningOut,
    hasSignOutFailed: ending.status === 'failed',
    /** 'Sign Out' of the header: asks the server, then leads to onboarding. */
    signOut: async () => {
      if (!(await mayLeave('Sign out anyway'))) return
      setIsSigningOut(true)
      try {
        await ending.run()
        await forget()
        setTimeout(() => location.assign('/?onboarding=true'), redirectAfterMs)
      } catch (error) {
        console.error('Logout failed', error)
      } finally {
        setTimeout(() => setIsSigningOut(false), enableAfterMs)
      }
    },
    /** 'Log Out' of the bottom bar: the browser itself goes to the server, which ends the session. */
    logOut: async () => {
      if (!(await mayLeave('Log out anyway'))) return
      await forget()
      location.assign('/api/logout')
    },
    /** Asks first; what the server refuses is logged and thrown. */
    removeAccount: async (before: () => Promise<void> = async () => {}) => {
      const isSure = await confirm({
        text: 'Are you sure you want to delete your account? This action cannot be undone.',
        verb: 'Delete',
        danger: true,
      })
      if (!isSure || !(await mayLeave('Delete anyway'))) return
      try {
        await before()
        await deletion.run()
      } catch (error) {
        console.error('Account deletion failed', error)
        throw error
      }
      await forget()
      location.assign('/')
    },
  }
}
