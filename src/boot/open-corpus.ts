import { availableParallelism } from 'node:os'
import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import { type LoadPorts, load } from '#actors/corpus-keeper/load.js'
import { decodedFile } from '#actors/corpus-keeper/source-file.js'
import { RepoPath } from '#protocol/atoms/path.js'
import { boundedThreads } from '#src/config/bounded-threads.js'
import { type ReadConfig, readConfig } from '#src/config/read-config.js'
import { unknownKeys } from '#src/config/unknown-keys.js'
import { civilDay } from '#src/corpus/civil-day.js'
import type { Snapshot } from '#src/corpus/snapshot.js'
import { breather } from '#src/kernel/breathe.js'
import { realClock } from '#src/kernel/clock.js'
import type { TreeSource } from '#src/ports/tree-source.js'
import { openSource, type Stop } from './checkout.js'
import { openCorpusTrees } from './corpus-trees.js'

/** The configuration of the commit that is current now; read once at boot (B 8). */
export const committedConfig = async (source: TreeSource): Promise<ReadConfig> => {
  await source.head()
  const path = RepoPath.decode('.svc/config.json')
  const found = await source.file('.svc/config.json')
  if (found === null || isLeft(path)) return readConfig(null)
  const { blob, bytes } = found
  const file = decodedFile({ path: path.right, blob, bytes: bytes.length }, bytes)
  const { config, findings } = boundedThreads(file, readConfig(file), availableParallelism())
  return { config, findings: [...findings, ...unknownKeys(file)] }
}

/** What the keeper loads from: the lore, the trees that the configuration names, and the civil day. */
export const loadPorts = async (source: TreeSource, { config, findings }: ReadConfig): Promise<LoadPorts> => {
  const trees = await openCorpusTrees(source, config)
  return {
    lore: source,
    works: trees.works,
    moderators: trees.moderators,
    today: () => civilDay(realClock.nowMs(), config['server.time_zone']),
    breathe: breather(realClock.monotonicMs),
    bootFindings: [...findings, ...trees.findings],
  }
}

/** One snapshot of a directory, for commands that do not serve. */
export const oneSnapshot = async (directory: string): Promise<Either<Stop, Snapshot>> => {
  const opened = await openSource(directory)
  if (isLeft(opened)) return opened
  const ports = await loadPorts(opened.right, await committedConfig(opened.right))
  try {
    const loaded = await load(ports, null)
    if (loaded === null) throw new Error('a first load always loads')
    return right(loaded.build.snapshot)
  } finally {
    await ports.works?.close()
    await ports.moderators?.close()
    await opened.right.close()
  }
}
