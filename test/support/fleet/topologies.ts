import type { TakeoverJob } from '#protocol/fleet/takeover.js'
import type { FleetView, TownView } from '#src/domain/fleet/candidates.js'
import type { TopologySource } from '#src/domain/fleet/role.js'
import type { Topology, Town } from '#src/domain/fleet/topology.js'
import { sourceFile } from '../world.js'

export const townNames = ['Avlee', 'Bracada', 'Deyja', 'Erathia', 'Nighon'] as const

export const townEntry = (name: string, change: object = {}) => ({
  url: `https://${name.toLowerCase().replaceAll(' ', '-')}.example/v1/api`,
  eligible: true,
  steppingDown: false,
  ...change,
})

/** The text of `.svc/fleet.json` with these towns. */
export const fleetText = (
  apex: string,
  term: number | undefined,
  towns: ReadonlyArray<string> = townNames,
  changes: Readonly<Record<string, object>> = {},
): string =>
  JSON.stringify({
    apex,
    term,
    towns: Object.fromEntries(towns.map(name => [name, townEntry(name, changes[name])])),
  })

export const fleetFile = (text: string) => sourceFile('.svc/fleet.json', text)
export const fleetSource = (text: string): TopologySource => ({ _tag: 'File', file: fleetFile(text) })

export const topologyOf = (
  apex: string,
  towns: ReadonlyArray<Partial<Town> & { name: string }>,
): Topology => ({
  apex,
  term: 1,
  towns: new Map(
    towns.map(town => [
      town.name,
      { url: `https://${town.name.toLowerCase()}.example`, isEligible: true, isSteppingDown: false, ...town },
    ]),
  ),
})

export const townViewWith = (change: Partial<TownView> = {}): TownView => ({
  isReachable: true,
  consecutiveMisses: 0,
  syncAgeMinutes: 3,
  ...change,
})

/** A job that makes Deyja the apex in place of Erathia, whose term is 3. */
export const takeoverJob: TakeoverJob = {
  id: 'one',
  town: 'Deyja',
  reason: 'dark',
  isForced: false,
  apex: 'Erathia',
  term: 3,
  fence: { commit: 'c', blob: '0123456789abcdef' },
  evidence: '',
}

/** A fleet whose apex Erathia is dark, and whose other towns are seen. */
export const darkFleet = (views: Readonly<Record<string, TownView>> = {}): FleetView => ({
  topology: topologyOf(
    'Erathia',
    townNames.map(name => ({ name })),
  ),
  views: new Map<string, TownView>([
    ...townNames.map((name): [string, TownView] => [name, townViewWith()]),
    ['Erathia', townViewWith({ isReachable: false, consecutiveMisses: 3, syncAgeMinutes: null })],
    ...Object.entries(views),
  ]),
  syncMaxAgeMinutes: 60,
})
