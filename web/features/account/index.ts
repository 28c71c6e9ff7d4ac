export { useLeaving } from './leaving.ts'
export { expectsSession, openSignIn, useSession, useSessionUpkeep } from './session.ts'
export { SignInNotice } from './SignInNotice.tsx'

/** The dialog comes when it is asked for. */
export const loadChangePasswordDialog = async () =>
  (await import('./ChangePasswordDialog.tsx')).ChangePasswordDialog
