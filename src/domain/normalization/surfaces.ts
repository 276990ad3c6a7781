import type { EntityType } from '#protocol/atoms.js'
import type { NameWitness } from '#protocol/names.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { visibleRows } from '#src/domain/entities/shown-rows.js'
import { namesTopics } from '#src/domain/lore/withheld-tags.js'
import type { Session } from '#src/domain/sessions/session.js'
import { locationTexts, segmentsOf } from './location-text.js'
import { proseRuns } from './prose-surfaces.js'

/** A text in the lore that should name a block; `type` is the type that its place wants. */
export interface Surface {
  readonly text: string
  /** What the name may be instead: the text without the word that begins its sentence. */
  readonly other?: string
  readonly type: EntityType | null
  readonly witness: NameWitness
}

const typeOfTag: ReadonlyMap<string, EntityType | null> = new Map([
  ['lokacja', 'Lokacja'],
  ['drzwi', 'Lokacja'],
  ['grupa', 'Grupa'],
  ['należy_do', null],
])

const mayShow = (text: string): boolean => !namesTopics(text)

/** The texts in the rows of a block that name other blocks. Rows that a session states are left out. */
export const surfacesOfEntity = function* (entity: Entity): Generator<Surface, void> {
  for (const { tag, value, source, line } of visibleRows(entity)) {
    const type = typeOfTag.get(tag)
    if (type === undefined || source._tag !== 'File' || !mayShow(value)) continue
    const witness = { kind: 'row', file: source.path, line, session: null, entity: entity.name } as const
    for (const text of type === 'Lokacja' ? segmentsOf(value) : [value]) yield { text, type, witness }
  }
}

const placeOf = ({ header, copies, path }: Session): Omit<NameWitness, 'kind'> => ({
  file: path,
  line: copies[0]?.line ?? 1,
  session: header,
  entity: null,
})

const targetsOf = (target: string): ReadonlyArray<string> => {
  const directive = /^(?:Grupa|Lokacja)\//u.exec(target)
  return directive === null ? target.split(',') : [target.slice(directive[0].length)]
}

const blockTexts = function* (session: Session): Generator<readonly [string, EntityType | null], void> {
  for (const { character } of session.points) yield [character, 'Postać']
  for (const name of session.participants) yield [name, null]
  for (const { entity } of session.changes) yield [entity, null]
  for (const { source, destination } of session.transfers) {
    yield [source, null]
    yield [destination, null]
  }
  for (const { target } of session.intel) for (const name of targetsOf(target)) yield [name.trim(), null]
}

/** The texts in the locations of a session, each segment of a path by itself. */
const locationSurfaces = function* (
  locations: ReadonlyArray<string>,
  entities: Entities,
): Generator<string, void> {
  for (const line of locations)
    for (const { clean } of locationTexts(entities, line)) yield* segmentsOf(clean)
}

/**
 * The texts in a session that should name a block: those in its blocks, and runs of capitalised words in its
 * prose. `session` is without what readers of entities may not see; narrators are left out.
 */
export const surfacesOfSession = function* (
  session: Session,
  locations: ReadonlyArray<string>,
  entities: Entities,
): Generator<Surface, void> {
  const place = placeOf(session)
  const block = { kind: 'block', ...place } as const
  for (const [text, type] of blockTexts(session)) if (mayShow(text)) yield { text, type, witness: block }
  for (const text of locationSurfaces(locations.filter(mayShow), entities))
    yield { text, type: 'Lokacja', witness: block }
  const prose = { kind: 'prose', ...place } as const
  for (const [text, other] of proseRuns(session.body))
    yield { text, ...(other === undefined ? {} : { other }), type: null, witness: prose }
}
