import { useQueryClient } from '@tanstack/react-query'
import { useContext, useState } from 'react'
import { deleteAccount, getMe, logout } from '#contract/account/endpoints.ts'
import { queryKeyOf, useAction } from '#web/lib/api.ts'
import { OnlyCopies } from '#web/lib/only-copies-context.ts'
import { readKey } from '#web/lib/session-keys.ts'
import { useAlert, useChoice, useConfirm } from '#web/ui/alerts.tsx'
import { forgetSession, useSession } from './session.tsx'

const redirectAfterMs = 100
const enableAfterMs = 500

const localCopies = () => import('#web/lib/local-copies.ts')

/** Both sign-outs, and the deletion of the account. */
export function useLeaving() {
  const client = useQueryClient()
  const alert = useAlert()
  const ask = useChoice()
  const confirm = useConfirm()
  const { state, user } = useSession()
  const ending = useAction(logout)
  const deletion = useAction(deleteAccount)
  const loadOnlyCopies = useContext(OnlyCopies)
  const [isSigningOut, setIsSigningOut] = useState(false)

  const owners = () => [user?.id, readKey('guestId')].filter((id) => id != null)
  const hasUnsaved = async () => (await localCopies()).hasUnsavedText(owners(), loadOnlyCopies)
  /** Calls the question only when there is unsaved text. */
  const mayLeave = async (loadQuestion: () => Promise<() => Promise<boolean>>) => {
    let question
    try {
      if (!(await hasUnsaved())) return true
      question = await loadQuestion()
    } catch {
      // Text that cannot be removed must not stay on the device without a notice (S48).
      await alert('Drafts on this device could not be removed. Check the connection and try again.')
      return false
    }
    return question()
  }
  const mayLogOut = () =>
    mayLeave(async () => {
      const { mayLogOutWithUnsavedText } = await import('./log-out-question.ts')
      const { textKinds } = await loadOnlyCopies()
      const personId = state === 'registered' ? user.id : null
      return () => mayLogOutWithUnsavedText({ personId, textKinds, hasUnsaved, client, ask, alert })
    })
  const mayDelete = () =>
    mayLeave(
      async () => () =>
        confirm({
          text: 'Some of your text is not saved yet, and this removes it from this device.',
          verb: 'Delete anyway',
          danger: true,
        }),
    )

  /** Removes what this browser keeps of the person, in the page and in storage. */
  const forget = async () => {
    const { removeLocalCopies } = await localCopies()
    const ids = owners()
    // First: without the id of the person, no other tab stores a notification any more.
    forgetSession()
    for (const id of ids) await removeLocalCopies(id)
    client.clear()
    // The cookie may exist a moment longer. With `null` the page does not ask the server for a person again.
    client.setQueryData(queryKeyOf(getMe), null)
  }

  return {
    isSigningOut,
    hasSignOutFailed: ending.status === 'failed',
    /** 'Sign Out' of the header: calls the server, then opens onboarding. */
    signOut: async () => {
      if (!(await mayLogOut())) return
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
    /** 'Log Out' of the bottom bar: the browser opens an address of the server that ends the session. */
    logOut: async () => {
      if (!(await mayLogOut())) return
      // The address cannot be opened offline: the session would stay for the next person. The server may be on this device.
      if (!navigator.onLine && (await ending.attempt()) === undefined)
        return alert(
          'You are still logged in, because there is no connection. Log out when it is back. To remove your texts from this device now, open Settings.',
        )
      await forget()
      location.assign('/api/logout')
    },
    /** Asks for confirmation first. A refusal of the server is logged and thrown. */
    removeAccount: async () => {
      const isSure = await confirm({
        text: 'Are you sure you want to delete your account? This action cannot be undone.',
        verb: 'Delete',
        danger: true,
      })
      if (!isSure || !(await mayDelete())) return
      try {
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
