/**
 * Runs pieces of work one after the other, in the order of the calls. A rejected one does not stop the next.
 */
export const openWorkQueue = (): (<A>(work: () => Promise<A>) => Promise<A>) => {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const mine = last.then(work, work)
    last = mine
    return mine
  }
}
