/** Downloads a file that this page has made. */
export function downloadFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  press(address, name)
  // The browser has taken the file once the click is over.
  setTimeout(() => URL.revokeObjectURL(address))
}

/** Downloads a file that the server makes and names. */
export const downloadFrom = (address: string): void => press(address, '')

function press(address: string, name: string) {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
