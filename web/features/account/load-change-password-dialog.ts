/** The dialog is fetched when it is opened. In a file of its own, so that the index only names what others may use. */
export const loadChangePasswordDialog = async () =>
  (await import('./ChangePasswordDialog.tsx')).ChangePasswordDialog
