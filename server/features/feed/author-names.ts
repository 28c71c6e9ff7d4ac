const productNames = ['zmmer', 'zimmer', 'admin', 'administrator', 'moderator']

/** Names as a reader would mistake them: without case, signs and invisible characters. */
export const foldedName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Whether a name is the product's own: nobody without an account may sign with it. */
export const isProductName = (name: string): boolean => {
  const folded = foldedName(name)
  return productNames.some(
    (product) => folded === product || folded === `the${product}` || folded === `${product}team`,
  )
}
