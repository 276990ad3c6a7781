import { topologyPath } from '#src/domain/fleet/topology.js'
import { firstFiles } from '#test/simulation/node/plans.js'

/** Where the duty of the apex counts. */
export const counterPath = 'licznik.md'

export const simulatedTowns = [
  'Avlee',
  'Bracada',
  'Deyja',
  'Erathia',
  'Fiona',
  'Krewlod',
  'Nighon',
  'Tatalia',
  'Vori',
] as const

/** The file of the fleet, as far as the checks read it; they read it by themselves. */
export interface PlainTopology {
  readonly apex: string
  readonly term: number
  readonly towns: Readonly<Record<string, { readonly eligible: boolean; readonly steppingDown?: boolean }>>
}

const textOf = (topology: object): string => `${JSON.stringify(topology, null, 2)}\n`

const townOf = (name: string) => ({
  url: `https://${name.toLowerCase()}.example/v1/api`,
  eligible: true,
})

/** The lore of a fleet whose first town is the apex. */
export const firstFleetFiles = (towns: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const listed = Object.fromEntries(towns.map(name => [name, townOf(name)]))
  const text = textOf({ apex: towns[0], term: 1, towns: listed, note: 'kept' })
  return new Map([...firstFiles, [counterPath, '0\n'], [topologyPath, text]])
}

const isTopology = (value: unknown): value is PlainTopology =>
  typeof value === 'object' && value !== null && 'apex' in value && 'term' in value && 'towns' in value

const parse = (text: string): PlainTopology | null => {
  try {
    const value: unknown = JSON.parse(text)
    return isTopology(value) ? value : null
  } catch {
    return null
  }
}

/** A world has few versions of the file, and each check reads one of them. */
const parsed = new Map<string, PlainTopology | null>()
const parsedMax = 200

/** The topology of a text; null where it has none. */
export const readPlainTopology = (text = ''): PlainTopology | null => {
  const known = parsed.get(text)
  if (known !== undefined) return known
  if (parsed.size >= parsedMax) parsed.clear()
  const topology = parse(text)
  parsed.set(text, topology)
  return topology
}

/** The text after an edit by a person. */
export const editTopology = (text: string, change: (topology: PlainTopology) => object): string => {
  const topology = readPlainTopology(text)
  return topology === null ? text : textOf({ ...topology, ...change(topology) })
}
