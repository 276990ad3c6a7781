/** Lists that one call of `concat` takes: every argument lies on the stack. */
const joinedAtOnce = 10_000

/** One list of many: copied as blocks of memory, unlike `flat`. */
export const joinLists = <A>(lists: ReadonlyArray<ReadonlyArray<A>>): ReadonlyArray<A> => {
  const none: ReadonlyArray<A> = []
  if (lists.length <= joinedAtOnce) return none.concat(...lists)
  const parts: Array<ReadonlyArray<A>> = []
  for (let at = 0; at < lists.length; at += joinedAtOnce)
    parts.push(none.concat(...lists.slice(at, at + joinedAtOnce)))
  return joinLists(parts)
}
