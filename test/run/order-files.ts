/** The slowest files, slowest first: one that started last would keep a single processor busy. */
export const longest: ReadonlyArray<string> = [
  'actors/repository-sync/converge.test.ts',
  'actors/repository-sync/attributes.test.ts',
  'src/adapters/landing/recovery.test.ts',
  'src/adapters/landing/folders-and-files.test.ts',
  'actors/repository-sync/renames.test.ts',
  'actors/repository-sync/large-merge.test.ts',
  'src/node/readers/reader-desk.test.ts',
  'test/process/start-state.test.ts',
  'test/process/corpus-trees.test.ts',
  'test/process/rights.test.ts',
  'test/process/faults.test.ts',
  'test/process/adopt-turns.test.ts',
  'test/process/logs.test.ts',
  'test/process/serve.test.ts',
  'test/process/built-game-sign-in.test.ts',
  'test/contract/sync.test.ts',
  'test/security/patterns.test.ts',
  'test/simulation/node/simulate.test.ts',
  'test/simulation/node/fleet/simulate-fleet.test.ts',
  'test/process/built-chat-sign-in.test.ts',
  'test/process/uncommitted-config.test.ts',
  'test/process/write-disk.test.ts',
  'test/process/readers-faults.test.ts',
  'test/process/faults-boot.test.ts',
  'test/security/hostile-load.test.ts',
  'test/property/merge-oracle.test.ts',
  'test/property/rights.test.ts',
  'src/domain/lore/merging/large-files.test.ts',
  'test/security/hostile-rows.test.ts',
]

/** Files that scan the whole heap: modules loaded before them make them slow. */
export const early: ReadonlyArray<string> = ['src/adapters/runtime/sqlite.test.ts']

const ranks: ReadonlyMap<string, number> = new Map([...early, ...longest].map((path, at) => [path, at]))

/** Tests beside the code load little of the program; those below `test` load all of it. */
const isWhole = (path: string): boolean => path.startsWith('test/')

/**
 * The order in which the processes of a run take test files. A process grows with what it has loaded, and a
 * fork takes longer in a larger process: files that start git come first, and those that load little before
 * those that load the whole program. Files that start nothing come last; they are short, so that all
 * processes end at about the same time.
 */
export const orderFiles = (
  files: ReadonlyArray<string>,
  starting: ReadonlySet<string>,
): ReadonlyArray<string> => {
  const groupOf = (path: string): number => {
    if (early.includes(path)) return 0
    return starting.has(path) ? Number(isWhole(path)) : 2
  }
  const rankOf = (path: string): number => ranks.get(path) ?? ranks.size
  return files.toSorted((one, other) => groupOf(one) - groupOf(other) || rankOf(one) - rankOf(other))
}
