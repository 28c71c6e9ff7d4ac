/** Gives the person a file that this page has made. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser has taken the file once the click is over.
  setTimeout(() => URL.revokeObjectURL(link.href))
}
