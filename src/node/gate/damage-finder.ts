import type { CheckoutFault } from '#protocol/discovery/blocked.js'
import { isDamage } from '#src/domain/admin/blockers.js'
import type { ServedFile } from '#src/ports/git/checkout-watch.js'
import type { TreeSource } from '#src/ports/git/tree-source.js'
import { reasonOf } from '../start/checkout.js'

/** The committed files that one look reads, in turn. */
const readsMost = 20

/**
 * Returns the look for damaged objects of git: it reads some of the served files from HEAD, each time other ones, and
 * those that were damaged again. What git cannot read otherwise, such as a file that HEAD no longer has, is no damage.
 */
export const damageFinder = (
  source: Pick<TreeSource, 'file'>,
): ((files: ReadonlyArray<ServedFile>) => Promise<ReadonlyArray<CheckoutFault>>) => {
  let next = 0
  let damaged: ReadonlyMap<string, string> = new Map()
  const reasonAt = async (path: string): Promise<string | null> => {
    try {
      await source.file(path)
      return null
    } catch (error) {
      const reason = reasonOf(error)
      return isDamage(reason) ? reason : null
    }
  }
  return async files => {
    const inTurn = Array.from({ length: Math.min(readsMost, files.length) }, (_, at) => next + at)
    next = files.length === 0 ? 0 : (next + inTurn.length) % files.length
    const turn = inTurn.map(at => files[at % files.length]?.path ?? '')
    const found = new Map<string, string>()
    for (const path of new Set<string>([...damaged.keys(), ...turn])) {
      const reason = await reasonAt(path)
      if (reason !== null) found.set(path, reason)
    }
    damaged = found
    const [first] = found.values()
    return first === undefined
      ? []
      : [
          {
            code: 'object_damaged',
            reason: `A file cannot be read from git: ${first}.`,
            files: [...found.keys()],
          },
        ]
  }
}
