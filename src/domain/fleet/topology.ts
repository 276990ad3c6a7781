import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { BlobId, type CapabilityId, requirePath } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { readCommittedJson } from '#src/domain/identity/committed-json.js'
import type { FleetKey } from '#src/domain/identity/credentials/fleet-keys.js'
import { viewOf } from '#src/domain/identity/grade.js'
import { readJson } from '#src/domain/json/json-text.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { safeAddress, safeBase } from '#src/domain/outbound/outbound.js'

export const topologyPath = requirePath('.svc/fleet.json')

/** The most towns of a fleet: each one is watched by every other. */
export const townsMax = 64

/** A file with more bytes than this has more characters than `readTopology` accepts, and need not be read. */
export const topologyBytesMax = 262_144

/** Whether a text can name a host of the fleet. */
export const isTownName = (text: string): boolean => townName.test(text)

export interface Town {
  readonly name: string
  /** Base URL of its interface, without a slash at its end. */
  readonly url: string
  /** Whether it may become the apex. */
  readonly isEligible: boolean
  /** Whether it hands its role over; it stays the apex until another one is. */
  readonly isSteppingDown: boolean
}

export interface Topology {
  readonly apex: string
  /** Raised by each flip, which is a change of the apex. */
  readonly term: number
  /** By name; the apex is among them. */
  readonly towns: ReadonlyMap<string, Town>
}

/**
 * Reads the file of the fleet. Left: the end of a Polish sentence that says why the file cannot be used; it
 * contains no value of the file.
 */
export const readTopology = (file: SourceFile): Either<string, Topology> => {
  if (file.text.length > charsMax) return left(`ma więcej niż ${charsMax} znaków`)
  const read = readCommittedJson(file, CommittedTopology, form)
  if (isLeft(read)) return read
  const { apex, term = 0, towns } = read.right
  const all = Object.entries(towns)
  if (all.length > townsMax) return left(`wymienia więcej niż ${townsMax} miast`)
  if (!all.some(([name]) => name === apex)) return left('wskazuje w „apex” miasto, którego nie ma w „towns”')
  const townOf = ([name, { url, eligible, steppingDown = false }]: (typeof all)[number]): [string, Town] => [
    name,
    { name, url: safeBase(url) ?? url, isEligible: eligible, isSteppingDown: steppingDown },
  ]
  return right({ apex, term, towns: new Map(all.map(townOf)) })
}

/**
 * The rows that a host reads and cannot use: an address of two towns, an address of the reading machine itself among
 * those of other machines, a name that another one is but for its case or form, a key in another spelling.
 */
export const unusableRows = (file: SourceFile, { towns }: Topology): ReadonlyArray<UnusableRow> => {
  const all = [...towns.values()]
  const isFar = all.some(({ url }) => url.startsWith('https:'))
  const twinOf = (town: Town, keyOf: (one: Town) => string): string | undefined =>
    all.find(one => one !== town && keyOf(one) === keyOf(town))?.name
  return all.flatMap((town): ReadonlyArray<UnusableRow> => {
    const { name, url } = town
    const sameUrl = twinOf(town, one => one.url.toLowerCase())
    const sameName = twinOf(town, one => one.name.normalize('NFKC').toLowerCase())
    const faults: ReadonlyArray<readonly [isThere: boolean, why: string, remedy: string]> = [
      [sameUrl !== undefined, `ma ten sam adres co ${sameUrl}`, 'Wpisz w „url” adres tego miasta.'],
      [
        isFar && safeAddress(url)?.protocol === 'http:',
        'ma adres, który na każdym hoście wskazuje ten właśnie host',
        'Wpisz w „url” adres „https:”, pod którym widzą go inne hosty.',
      ],
      [sameName !== undefined, `nazywa się prawie tak samo jak ${sameName}`, 'Usuń jedno z nich.'],
      ...misspelledKeys(file, name).map(
        key => [true, `ma pole „${key}”, którego żaden host nie czyta`, 'Popraw nazwę pola.'] as const,
      ),
    ]
    return faults.filter(([isThere]) => isThere).map(([, why, remedy]) => ({ town: name, why, remedy }))
  })
}

/**
 * The text of the file after a flip: another apex and the next term, everything else as it is. Every host makes
 * the same text of the same file. Null where the file cannot be read, does not list the town, or could not be read
 * after the flip: a takeover must not leave every host without a role.
 */
export const flipTopology = (file: SourceFile, apex: string): string | null => {
  const read = readTopology(file)
  if (isLeft(read) || !read.right.towns.has(apex)) return null
  const parsed = readJson(file.text)
  if (isLeft(parsed) || !t.UnknownRecord.is(parsed.right)) return null
  const flipped = { ...parsed.right, apex, term: read.right.term + 1 }
  const spaced = isLeft(readJson(file.text, spacedValuesMax)) ? null : JSON.stringify(flipped, null, 2)
  const isSpaced = spaced !== null && spaced.length < charsMax
  const text = `${isSpaced ? spaced : JSON.stringify(flipped)}\n`
  return isLeft(readTopology({ ...file, text })) ? null : text
}

/** The apex of a file that is a flip of another file and nothing else; null for any other file. */
export const apexOfFlip = (flipped: SourceFile, file: SourceFile): string | null => {
  const read = readTopology(flipped)
  if (isLeft(read)) return null
  const { apex } = read.right
  const wanted = flipTopology(file, apex)
  return wanted !== null && valueOf(wanted) === valueOf(flipped.text) ? apex : null
}

/** The file of the fleet with this text; null where `blob` is no id. */
export const topologyFileOf = (text: string, blob: string): SourceFile | null =>
  BlobId.is(blob) ? { path: topologyPath, blob, text, undecodable: text.includes('\ufffd') } : null

/**
 * The caller of a peer token that this key signed. Null where the committed topology does not list the key's
 * town, or cannot be read: a host that left the fleet has no access, although its key is still published.
 */
export const callerOfTown = (key: FleetKey, topology: SourceFile | null): Caller | null =>
  topology !== null && townsIn(topology).has(key.town) ? callerOf(key) : null

/** A file of 64 towns has about 10,000 characters. */
const charsMax = 65_536
const urlCharsMax = 2_048
/** A file with more values is written without spaces, which may make it a hundred times as long. */
const spacedValuesMax = 1_000

const townName = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u

const TownName = t.refinement(t.string, isTownName, 'TownName')
const Term = t.refinement(t.number, term => Number.isSafeInteger(term) && term >= 0, 'Term')
/** Its cards are believed, so it is reached over TLS or on this machine. */
const TownUrl = t.refinement(t.string, url => url.length <= urlCharsMax && safeBase(url) !== null, 'TownUrl')

const CommittedTown = t.intersection(
  [t.type({ url: TownUrl, eligible: t.boolean }), t.partial({ steppingDown: t.boolean })],
  'CommittedTown',
)

/** `.svc/fleet.json` (LAYOUT, D46). A file without `term` is older than terms and counts as term 0. */
const CommittedTopology = t.intersection(
  [t.type({ apex: TownName, towns: t.record(TownName, CommittedTown) }), t.partial({ term: Term })],
  'CommittedTopology',
)

const form =
  '{"apex": "Miasto", "term": 1, "towns": {"Miasto": {"url": "https://…/v1/api", "eligible": true}}}'

/** A row of a file that can be read, and why a host cannot use it: the end of a Polish sentence. */
interface UnusableRow {
  readonly town: string
  readonly why: string
  readonly remedy: string
}

const rowKeys = ['url', 'eligible', 'steppingDown']
const plainKey = (key: string): string => key.toLowerCase().replaceAll(/[_\s-]/gu, '')

/** Keys of a row that are one of its keys in another spelling, and so are not read. */
const misspelledKeys = (file: SourceFile, town: string): ReadonlyArray<string> => {
  const parsed = readJson(file.text)
  const { towns } = !isLeft(parsed) && t.UnknownRecord.is(parsed.right) ? parsed.right : { towns: null }
  const row = t.UnknownRecord.is(towns) ? towns[town] : null
  const keys = t.UnknownRecord.is(row) ? Object.keys(row) : []
  return keys.filter(key => !rowKeys.includes(key) && rowKeys.some(one => plainKey(one) === plainKey(key)))
}

const valueOf = (text: string): string | null => {
  const parsed = readJson(text)
  return isLeft(parsed) ? null : JSON.stringify(parsed.right)
}

/** What a peer token may do, whatever roles and grants say (D49). */
const peerCapabilities = ['fleet.read', 'derive.read'] as const satisfies ReadonlyArray<CapabilityId>

const holds: ReadonlySet<string> = new Set(peerCapabilities)

const noTowns: ReadonlySet<string> = new Set()

const townsIn = perValue((file: SourceFile): ReadonlySet<string> => {
  const read = readTopology(file)
  return isLeft(read) ? noTowns : new Set(read.right.towns.keys())
})

/** The caller of a key's town. Its records show the key as the token, and the town as the name of it. */
const callerOf = perValue(({ kid, town }: FleetKey): Caller => {
  const token = { id: kid, name: town }
  return { kind: 'peer', gracz: null, gameId: null, token, holds, grade: 'full', view: viewOf(holds) }
})
