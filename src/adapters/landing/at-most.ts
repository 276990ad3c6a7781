/** Files that a landing has open at once: more gain nothing with four threads of libuv, and each is a descriptor. */
export const openAtOnce = 32

/** Does the work for each item, `atOnce` at a time, and answers the results in the order of the items. */
export const mapAtMost = async <A, B>(
  items: ReadonlyArray<A>,
  work: (item: A) => Promise<B>,
  atOnce = openAtOnce,
): Promise<ReadonlyArray<B>> => {
  const results: Array<B> = []
  const queue = items.entries()
  const worker = async (): Promise<void> => {
    for (const [at, item] of queue) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  return results
}
