import { type EntityType, entityTypes, type NameKey, nameKey, requirePath } from '#protocol/atoms.js'
import type { Location, LocationRow, SpeakerProposal } from '#protocol/lore/places.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { canonicalPath } from '#src/domain/entities/canonical-path.js'
import { firstOfType } from '#src/domain/entities/entities.js'
import { aliasesOn, doorsOn, type Entity, locationOn, statusOn } from '#src/domain/entities/entity.js'
import { locationMeant, type Places } from '#src/domain/entities/places.js'
import { visibleEntity } from '#src/domain/entities/projection.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { rawLines } from '#src/domain/lore/lines.js'
import { scalarOn } from '#src/domain/lore/rows/deciding-order.js'
import { nearestNamesInSlices } from '#src/domain/names/nearest.js'
import { playersIn } from '#src/domain/sessions/reading/narrators.js'
import type { SessionLore } from '#src/domain/sessions/reading/spellings.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'

/**
 * The answer of `GET /locations/{name}`: the row of the place, and in `Children` the headings of the places
 * directly in it, without deleted ones.
 */
export const locationOf = (places: Places, place: Entity): Location => ({
  ...locationRowOf(places, place),
  Children: (places.children.get(place) ?? []).map(child => child.name),
})

/**
 * The rows of the places that pass every filter, in the order of `places.all`. Deleted places are among
 * them, unlike in `Children`. `parent` and `region` are replaced by the heading that they mean, and headings
 * are compared by `nameKey`. A value that means no Lokacja or Region, or a `parent` that means several, is
 * compared as written; it is no error.
 */
export const locationsMatching = (places: Places, filter: LocationFilter): ReadonlyArray<LocationRow> => {
  const parent = filter.parent === null ? null : nameKey(headingMeant(places, filter.parent))
  const region = filter.region === null ? null : nameKey(regionMeant(places, filter.region))
  return rowsOf(places).filter(
    row =>
      (parent === null || (row.Location !== null && nameKey(row.Location) === parent)) &&
      (region === null || (row.Region !== null && nameKey(row.Region) === region)) &&
      (filter.outerior === null || row.Outerior === filter.outerior),
  )
}

/** The committed list of texts that sessions name as places and that are none (FORMATS 8). */
export const locationExclusionsPath = requirePath('.svc/location-exclusions.txt')

/** The keys of the texts of a list of exclusions: one text a line, `#` starts a comment. Read once per file. */
export const exclusionsIn = perValue(
  (file: SourceFile): ReadonlySet<NameKey> =>
    new Set(
      rawLines(file.text)
        .map(line => line.trim())
        .filter(line => line !== '' && !line.startsWith('#'))
        .map(nameKey),
    ),
)

/** The exclusions that a tree has committed; empty without the file. */
export const locationExclusions = (files: ReadonlyMap<string, SourceFile>): ReadonlySet<NameKey> => {
  const file = files.get(locationExclusionsPath)
  return file === undefined ? none : exclusionsIn(file)
}

/**
 * Speakers of sessions that are no entity: names in PU and `@Uczestnicy`, the 200 with most sessions (A 4.8).
 * The speakers of transcripts will join them with the archive.
 */
export const speakerProposals = function* ({
  sessions,
  names,
}: Pick<SessionLore, 'sessions' | 'names'>): Sliced<ReadonlyArray<SpeakerProposal>> {
  const found = new Map<string, Speaker>()
  for (const session of sessions.all) {
    for (const { key, name, type } of playersIn(session, names)) {
      if (type !== null) continue
      const known = found.get(key) ?? { name, dates: [] }
      known.dates.push(session.date)
      found.set(key, known)
    }
    yield
  }
  const proposals: Array<SpeakerProposal> = []
  for (const { name, dates } of [...found.values()].sort(byNeed).slice(0, proposalsMax)) {
    const Suggestions = yield* nearestNamesInSlices(names, name, 'Postać')
    const [First = '', Last = ''] = [dates[0], dates.at(-1)]
    proposals.push({ Speaker: name, Sessions: dates.length, First, Last, Suggestions })
    yield
  }
  return proposals
}

const headingMeant = ({ entities, day }: Places, value: string): string =>
  locationMeant(entities, value, day)?.name ?? value

/** The heading of the Region that a value means; the value itself when no Region matches. */
const regionMeant = ({ entities }: Places, value: string): string => {
  const key = nameKey(value)
  for (const owners of [entities.byHeading.get(key), entities.byAlias.get(key)]) {
    const region = owners === undefined ? undefined : firstOfType(owners, 'Region')
    if (region !== undefined) return region.name
  }
  return value
}

const outeriorOf = (value: string | null): boolean | null => {
  const word = value === null ? null : nameKey(value)
  return word === 'tak' ? true : word === 'nie' ? false : null
}

const otherTypes = ({ entities }: Places, place: Entity): ReadonlyArray<EntityType> => {
  const owners = entities.byHeading.get(place.key) ?? []
  return entityTypes.filter(type => type !== 'Lokacja' && firstOfType(owners, type) !== undefined)
}

/** A place in a list (A 2.5), on the day of `places`. */
const locationRowOf = (places: Places, place: Entity): LocationRow => {
  const { day } = places
  const shown = visibleEntity(place)
  const region = scalarOn(shown.rows, 'region', day)
  return {
    Name: place.name,
    Type: 'Lokacja',
    Status: statusOn(place, day),
    Location: places.parents.get(place)?.name ?? locationOn(shown, day),
    Path: canonicalPath(places.entities, place, day).path,
    Doors: doorsOn(shown, day).map(value => headingMeant(places, value)),
    Region: region === null ? null : regionMeant(places, region),
    Outerior: outeriorOf(scalarOn(place.rows, 'outerior', day)),
    Aliases: aliasesOn(shown, day),
    AlsoTypes: otherTypes(places, place),
  }
}

const rowsOf = perValue((places: Places) => places.all.map(place => locationRowOf(places, place)))

/**
 * The filters of `GET /locations`; null matches everything. `parent` is a name or a slash path
 * (`locationMeant`) of the place directly around; `region` is a heading or an alias of a Region. An
 * `outerior` of true or false does not match a place whose own is unknown.
 */
interface LocationFilter {
  readonly parent: string | null
  readonly region: string | null
  readonly outerior: boolean | null
}

const none: ReadonlySet<NameKey> = new Set()

/** Most proposals of one answer, because each is compared with the name of every character. */
const proposalsMax = 200

interface Speaker {
  readonly name: string
  readonly dates: Array<string>
}

const byNeed = (left: Speaker, right: Speaker): number =>
  right.dates.length - left.dates.length || (left.name < right.name ? -1 : 1)
