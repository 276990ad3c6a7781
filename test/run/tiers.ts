import { importsOf, type Source } from '#test/tidy/sources.js'

/**
 * Which command runs which test file (docs/howto/develop/run-the-tests.md).
 *
 * - `pure`: starts no git, no thread and no daemon. `npm test` runs it, and `npm run test:fast` runs nothing else.
 * - `smoke`: starts one of them, and is listed below for its mechanism. `npm test` runs it too.
 * - `rest`: every other `.test.ts` file. `npm run test:all` runs these three tiers.
 * - `long`: a `.long.ts` file, which takes long on purpose. `npm run test:long` runs it.
 */
export type Tier = 'pure' | 'smoke' | 'rest' | 'long'

/** For each mechanism that needs git, a thread or a daemon: the files by which `npm test` sees that it works. */
export const smoke: Readonly<Record<string, ReadonlyArray<string>>> = {
  landing: ['src/adapters/landing/landing.test.ts', 'src/adapters/landing/commit-beside.test.ts'],
  recovery: ['src/adapters/landing/recovery.test.ts'],
  'reading git': ['src/adapters/git/tree-source.test.ts', 'src/adapters/history/git-history.test.ts'],
  corpus: ['actors/corpus-keeper/load.test.ts'],
  'write gate': ['src/node/gate/preview-beside-writes.test.ts', 'test/process/write-hooks.test.ts'],
  converge: ['actors/repository-sync/whole-files.test.ts', 'src/adapters/sync/remote/push-commit.test.ts'],
  'publishing by requests': ['src/adapters/sync/remote/last-change.test.ts'],
  'reader threads': ['src/snapshot/readers/delta.test.ts', 'test/process/readers.test.ts'],
  'search tiers': ['src/node/search/host-search.test.ts'],
  serve: ['test/process/closed-pipe.test.ts'],
  faults: ['test/process/faults-leak.test.ts'],
  modes: ['test/process/modes.test.ts'],
  jobs: ['test/process/jobs.test.ts'],
  tokens: ['test/process/tokens.test.ts'],
  'sign-in': ['test/process/built-bearer.test.ts', 'test/process/chat-sign-in-kill.test.ts'],
  events: ['test/process/events.test.ts', 'src/adapters/logs/segment-log.test.ts'],
  shutdown: ['test/process/shutdown.test.ts'],
  adoption: ['actors/write-gate/adopt.test.ts'],
  dispatch: ['src/node/chat/dispatch-node.test.ts', 'actors/chat/dispatch-queue.test.ts'],
  'messages of the chat': ['test/contract/chat-outbox.test.ts', 'actors/chat/chat-sender-restarts.test.ts'],
  takeover: ['actors/fleet/hostile-claim.test.ts'],
  'watch of the fleet': ['src/node/fleet/fleet-watch.test.ts'],
  'keys of the fleet': ['src/node/identity/list-keys.test.ts'],
  workloads: ['src/node/commands/workload-command.test.ts'],
  commands: ['test/process/init.test.ts'],
  'state area': ['src/adapters/state/state-area.test.ts'],
}

/** Modules that start a process or a thread. */
const starters: ReadonlySet<string> = new Set(['node:child_process', 'node:worker_threads'])

/** Removes type imports, which load nothing at run time. */
const withoutTypes = ({ path, text }: Source): Source => ({
  path,
  text: text.replaceAll(/^(?:import|export) type [^;]*?from '[^']+'/gm, ''),
})

/** The files that import a starter, however far away. Linear in the number of imports. */
const listStarting = (sources: ReadonlyArray<Source>): ReadonlySet<string> => {
  const importers = new Map<string, Array<string>>()
  const pending: Array<string> = []
  for (const { from, specifier, target } of sources.map(withoutTypes).flatMap(importsOf)) {
    if (starters.has(specifier)) pending.push(from)
    if (target === null) continue
    const known = importers.get(target)
    if (known === undefined) importers.set(target, [from])
    else known.push(from)
  }
  const starting = new Set<string>()
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (starting.has(path)) continue
    starting.add(path)
    pending.push(...(importers.get(path) ?? []))
  }
  return starting
}

/** The tier of every test file among the sources, by its path from the root of the project. */
export const tiersOf = (
  sources: ReadonlyArray<Source>,
  smokeFiles: ReadonlySet<string> = new Set(Object.values(smoke).flat()),
): ReadonlyMap<string, Tier> => {
  const starting = listStarting(sources)
  const tierOf = (path: string): Tier => {
    if (path.endsWith('.long.ts')) return 'long'
    if (!starting.has(path)) return 'pure'
    return smokeFiles.has(path) ? 'smoke' : 'rest'
  }
  return new Map(
    sources.flatMap(({ path }) => (/\.(?:test|long)\.ts$/.test(path) ? [[path, tierOf(path)] as const] : [])),
  )
}

/** Files that take more than ten seconds, slowest first: one that started last would keep a single processor busy. */
export const longest: ReadonlyArray<string> = [
  'actors/repository-sync/converge.test.ts',
  'actors/fleet/takeover.test.ts',
  'actors/repository-sync/publish-by-request.test.ts',
  'actors/repository-sync/twins.test.ts',
  'actors/repository-sync/renames.test.ts',
  'actors/repository-sync/attributes.test.ts',
  'actors/repository-sync/park-once.test.ts',
  'src/adapters/outbound/forge-http.test.ts',
  'src/node/search/search.test.ts',
  'actors/reader-pool/exchange.test.ts',
  'src/node/chat/find-effect.test.ts',
  'actors/fleet/adopted-request.test.ts',
  'actors/repository-sync/hostile.test.ts',
  'src/adapters/landing/folders-and-files.test.ts',
  'actors/repository-sync/large-merge.test.ts',
  'src/adapters/landing/recovery.test.ts',
  'src/node/fleet/workload-ticks.test.ts',
  'src/demo/writer/demo-writer.test.ts',
  'test/process/faults.test.ts',
  'test/contract/sync.test.ts',
  'test/process/start-state.test.ts',
  'test/process/serve.test.ts',
  'test/process/write-disk.test.ts',
  'test/process/logs.test.ts',
  'test/process/verified-commits.test.ts',
  'test/process/without-lore.test.ts',
  'test/process/rights.test.ts',
  'test/process/blocked.test.ts',
  'test/process/fleet-tokens.test.ts',
  'test/process/corpus-trees.test.ts',
  'test/process/fleet-role.test.ts',
  'test/process/write-refusals.test.ts',
  'test/process/unloadable-head.test.ts',
  'test/process/readers-faults.test.ts',
  'test/process/jobs-kill.test.ts',
  'test/process/roster.test.ts',
  'test/process/grants.test.ts',
  'test/process/adopt.test.ts',
  'test/process/state-gone.test.ts',
  'test/process/left-callers.test.ts',
  'test/process/modes.test.ts',
  'test/process/game-sign-in.test.ts',
  'test/process/readers-writes.test.ts',
  'test/process/api-keys.test.ts',
  'test/process/audit-kill.test.ts',
  'test/process/token.test.ts',
  'test/process/shutdown.test.ts',
  'test/process/session-writes.test.ts',
  'test/simulation/node/fleet/simulate-fleet.test.ts',
  'test/simulation/node/simulate.test.ts',
]

/** Files that scan the whole heap: modules loaded before them make them slow. */
export const early: ReadonlyArray<string> = ['src/adapters/runtime/sqlite.test.ts']

const ranks: ReadonlyMap<string, number> = new Map([...early, ...longest].map((path, at) => [path, at]))

/**
 * The order in which the processes of a run take test files. A process grows with what it has loaded, and a
 * fork takes longer in a larger process: files that start git come first, and those beside the code, which load
 * little, before those below `test`, which load the whole program. Files that start nothing come last; they are
 * short, so that all processes end at about the same time.
 */
export const orderFiles = (tiers: ReadonlyMap<string, Tier>): ReadonlyArray<string> => {
  const groupOf = (path: string): number => {
    if (early.includes(path)) return 0
    return tiers.get(path) === 'pure' ? 2 : Number(path.startsWith('test/'))
  }
  const rankOf = (path: string): number => ranks.get(path) ?? ranks.size
  return [...tiers.keys()].sort((one, other) => groupOf(one) - groupOf(other) || rankOf(one) - rankOf(other))
}
