/** How many lists one call of `concat` takes: every argument is on the stack. */
const joinedAtOnce = 10_000

/** Joins many lists into one. `concat` copies blocks of memory, which `flat` does not. */
export const joinLists = <A>(lists: ReadonlyArray<ReadonlyArray<A>>): ReadonlyArray<A> => {
  const none: ReadonlyArray<A> = []
  if (lists.length <= joinedAtOnce) return none.concat(...lists)
  const parts: Array<ReadonlyArray<A>> = []
  for (let at = 0; at < lists.length; at += joinedAtOnce)
    parts.push(none.concat(...lists.slice(at, at + joinedAtOnce)))
  return joinLists(parts)
}
