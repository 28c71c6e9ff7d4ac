/** What nobody caught is written down and goes no further. */
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
