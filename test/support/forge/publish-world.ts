import { publishGit } from '#src/adapters/sync/remote/publish-git.js'
import { type HostOptions, type SyncHost, type SyncWorld, syncWorld } from '../sync-hosts.js'
import { type ForgeDouble, type ForgeDoubleOptions, forgeDouble } from './forge-double.js'
import { portOfDouble } from './forge-world.js'

/** A remote that is also a forge, and hosts that publish to it by merge requests. */
export interface PublishWorld {
  readonly world: SyncWorld
  readonly double: ForgeDouble
  /** A host in mode `mr`. */
  readonly host: (name: string) => Promise<SyncHost>
  /** Sets the clock of the forge, which begins at 0. */
  readonly setForgeMs: (nowMs: number) => void
  /** Merges the request at its tip, as a person does. */
  readonly merge: (iid: number) => Promise<void>
  readonly dispose: () => Promise<void>
}

export const publishWorld = async (
  files: Readonly<Record<string, string>>,
  options: Partial<ForgeDoubleOptions> = {},
): Promise<PublishWorld> => {
  const world = syncWorld(files)
  let forgeMs = 0
  const double = await forgeDouble({ nowMs: () => forgeMs, ...options, repository: world.bare })
  const forge = portOfDouble(double)
  const requests: HostOptions['requests'] = place => ({
    git: publishGit(place),
    forge,
    town: place.town,
    takeBack: () => Promise.reject(new Error('no request of this world has an enactment')),
  })
  return {
    world,
    double,
    host: name => world.host(name, { setup: { publishMode: 'mr' }, requests }),
    setForgeMs: nowMs => {
      forgeMs = nowMs
    },
    merge: async iid => {
      const signal = AbortSignal.timeout(60_000)
      const read = await forge({ _tag: 'ReadRequest', iid }, 60_000, signal)
      const sha = read.outcome._tag === 'Request' ? (read.outcome.request.sha ?? '') : ''
      const { outcome } = await forge({ _tag: 'MergeRequest', iid, sha }, 60_000, signal)
      if (outcome._tag !== 'Request') throw new Error(`the request is not merged: ${outcome._tag}`)
    },
    dispose: async () => {
      await double.close()
      await world.dispose()
    },
  }
}
