/** Logs errors that no code has caught. */
export function logUnhandledErrors(): void {
  addEventListener('error', (event) => {
    console.error(event.error)
    event.preventDefault()
  })
  addEventListener('unhandledrejection', (event) => {
    console.error(event.reason)
    event.preventDefault()
  })
}
