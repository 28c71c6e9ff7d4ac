/** Lets the browser keep a file in its folder of downloads. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  press(address, name)
  // The browser has taken the file once the click is over.
  setTimeout(() => URL.revokeObjectURL(address))
}

/** Lets the browser keep a file that the server makes and names. */
export const saveFrom = (address: string): void => press(address, '')

function press(address: string, name: string) {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
