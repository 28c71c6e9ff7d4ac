export { loadChangePasswordDialog } from './load-change-password-dialog.ts'
export { useLeaving } from './leaving.ts'
export { expectsSession, openSignIn, useSession, useSessionUpkeep } from './session.ts'
export { SignInNotice } from './SignInNotice.tsx'
