/**
 * The most files that a landing opens at once: more gain nothing with libuv's four threads, and each uses a
 * descriptor.
 */
export const openAtOnce = 32

/** Does the work for each item, `atOnce` at a time, and returns the results in the order of the items. */
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
