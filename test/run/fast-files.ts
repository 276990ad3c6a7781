import { importsOf, type Source } from '#test/tidy/sources.js'

/** Modules that start a process or a thread. */
const starters: ReadonlySet<string> = new Set(['node:child_process', 'node:worker_threads'])

/** Tests that are slow on purpose: many seeds on virtual time. */
const simulations = 'test/simulation/'

/** Removes type imports, which load nothing at run time. */
const withoutTypes = ({ path, text }: Source): Source => ({
  path,
  text: text.replaceAll(/^(?:import|export) type [^;]*?from '[^']+'/gm, ''),
})

/**
 * The test files that start no git, no thread and no daemon, by their transitive imports. Paths from the root
 * of the project. Linear in the number of imports.
 */
export const fastFilesOf = (sources: ReadonlyArray<Source>): ReadonlyArray<string> => {
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
  return sources
    .map(({ path }) => path)
    .filter(path => path.endsWith('.test.ts') && !starting.has(path) && !path.startsWith(simulations))
}
