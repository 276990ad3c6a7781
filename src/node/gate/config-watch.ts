import type { Config } from '#protocol/config.js'
import type { AddressTrust } from '#src/domain/config/addresses.js'
import { leftOutFault } from '#src/domain/config/read-config.js'
import { type ConfigSight, configSight } from '#src/domain/config/unknown-keys.js'
import type { Cell } from '#src/snapshot/cell.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { configOf } from '../tree/open-corpus.js'

interface Published {
  readonly build: { readonly snapshot: Snapshot }
}

const configPath = '.svc/config.json'

/** A file that is left out for its size also exceeds every bound of a configuration. */
const sightIn = (config: Config, addresses: AddressTrust, { files, leftOut }: Snapshot): ConfigSight =>
  leftOut.has(configPath)
    ? { _tag: 'Broken', fault: leftOutFault }
    : configSight(config, addresses, files.get(configPath) ?? null, configOf)

/**
 * The state of the committed configuration in the newest snapshot. Computed when a snapshot with another
 * version of the file is published, not at each call.
 */
export const configWatch = (
  config: Config,
  addresses: AddressTrust,
  held: Pick<Cell<Published>, 'get' | 'watch'>,
): (() => ConfigSight) => {
  let seen: { readonly version: string; readonly sight: ConfigSight } | null = null
  const look = (): void => {
    const snapshot = held.get()?.build.snapshot
    if (snapshot === undefined) return
    const { files, leftOut } = snapshot
    const version = leftOut.has(configPath) ? 'left out' : (files.get(configPath)?.blob ?? 'none')
    if (seen?.version !== version) seen = { version, sight: sightIn(config, addresses, snapshot) }
  }
  held.watch(look)
  look()
  return () => seen?.sight ?? { _tag: 'Same' }
}
