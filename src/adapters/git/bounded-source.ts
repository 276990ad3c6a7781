import type { TreeSource } from '#src/ports/git.js'

/** Part of a finding, which players read. */
const silent = 'dysk nie odpowiada'

/** Times in milliseconds. */
export interface SourceBounds {
  /** How long one request may take. */
  readonly limitMs: number
  /** How long all requests fail at once after one that took longer. */
  readonly restMs: number
}

/**
 * A source whose disk may stop answering. A request fails after `limitMs`; then every request fails at once
 * for `restMs`. The slow request continues in the background, and its answer is dropped.
 */
export const boundTreeSource = (
  source: TreeSource,
  { limitMs, restMs }: SourceBounds,
  monotonicMs: () => number,
): TreeSource => {
  let restsUntilMs = Number.NEGATIVE_INFINITY
  const inTime = <A>(ask: () => Promise<A>): Promise<A> =>
    new Promise((resolve, reject) => {
      if (monotonicMs() < restsUntilMs) return reject(new Error(silent))
      const timer = setTimeout(() => {
        restsUntilMs = monotonicMs() + restMs
        reject(new Error(silent))
      }, limitMs)
      ask()
        .then(resolve, reject)
        .finally(() => clearTimeout(timer))
    })
  return {
    kind: source.kind,
    path: source.path,
    head: () => inTime(source.head),
    list: head => inTime(() => source.list(head)),
    listAt: (head, paths) => inTime(() => source.listAt(head, paths)),
    read: entry => inTime(() => source.read(entry)),
    file: path => inTime(() => source.file(path)),
    contains: (head, commit) => inTime(() => source.contains(head, commit)),
    close: source.close,
  }
}
