/** How many letters a text may still have, in words. */
export const lettersOf = (left: number) => {
  const letters = (count: number) => (count === 1 ? '1 letter' : `${count.toLocaleString('en-US')} letters`)
  return left < 0 ? `${letters(-left)} too many` : `${letters(left)} left`
}
