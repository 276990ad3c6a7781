import type { Snapshot } from '#src/snapshot/snapshot.js'

const watch = <A extends object>(value: A, fields: ReadonlyArray<keyof A>, read: () => void): void => {
  for (const field of fields) {
    const held = value[field]
    Object.defineProperty(value, field, {
      get: () => {
        read()
        return held
      },
    })
  }
}

/**
 * Counts how often the entities and sessions of a world are read from now on. Unlike time, the count of steps
 * does not depend on the load of the machine.
 */
export const countReads = ({ entities, sessions }: Snapshot): (() => number) => {
  let reads = 0
  const read = (): void => {
    reads += 1
  }
  for (const entity of entities.all) watch(entity, ['rows', 'type', 'name', 'key'], read)
  for (const session of sessions.all)
    watch(session, ['points', 'participants', 'locations', 'narrators', 'copies', 'header', 'date'], read)
  return () => reads
}
