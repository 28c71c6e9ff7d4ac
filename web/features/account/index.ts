export { useHasSessionEnded } from './has-session-ended.ts'
export { useIsServerAway } from './is-server-away.ts'
export { KeptInBrowser } from './KeptInBrowser.tsx'
export { loadChangePasswordDialog } from './load-change-password-dialog.ts'
export { useLeaving } from './leaving.ts'
export { clearOnboarding, completeOnboarding } from './onboarding-flag.ts'
export { removeReturns, storedReturn } from './openid-return.ts'
export { OpenidButton } from './OpenidButton.tsx'
export {
  expectsSession,
  openSignIn,
  preloadSession,
  SessionProvider,
  useAreKeysAwaited,
  useSession,
} from './session.tsx'
export { SignInAgainDialog } from './sign-in-again.ts'
export { SignInNotice } from './SignInNotice.tsx'
export { useSignInAgain } from './use-sign-in-again.tsx'
