/** The page that verifies seals and receipts. */
export const verifyPath = '/verify'

/** The file that verifies them without a network. */
export const verifyFile = '/zimmer-verify.html'
