import { entityTypes, nameKey } from '#protocol/atoms.js'
import { type Owner, type Stacks, stacksOf } from '#src/domain/currency/stacks.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { type BlockRecord, findRecorded } from '#src/domain/entities/reading/block-record.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import { type FormResolution, resolveUpToForms } from '#src/domain/names/reach/resolve-forms.js'
import type { NameIndex, Resolution } from '#src/domain/names/resolution.js'
import { resolveName } from '#src/domain/names/resolve.js'
import type { Meaning } from '../closing/meaning.js'
import { recallOf } from '../closing/recall.js'
import type { Session } from '../session.js'
import { newTimelines, rowsOf, type Timelines, timelineRowOn, valueOn } from './timelines.js'

/** A session whose effects count, with their meaning at close; null where none is recorded. */
export interface ClosedSession {
  readonly session: Session
  readonly meaning: Meaning | null
}

/** Callbacks that report what the names of effects mean while an overlay is built. */
export interface Witness {
  readonly block: (session: Session, name: string, entity: Entity) => void
  readonly several: (session: Session, name: string) => void
  readonly purse: (session: Session, name: string, denomination: string, item: Entity) => void
}

/** Mutable state of an overlay while it is built. */
export interface Overlay {
  readonly entities: Entities
  readonly names: NameIndex
  readonly timelines: Timelines
  /** Names that a block has as written. */
  readonly written: Map<string, Resolution>
  /** The other names as forms; sessions add no forms, so this never changes. */
  readonly forms: Map<string, FormResolution>
  /** Spellings that the sessions applied so far have given. */
  readonly aliases: Map<string, Entity>
  readonly stacks: Stacks
  readonly findings: Array<Finding>
  readonly witness: Witness | null
}

const writable = entityTypes.filter(type => type !== 'Gracz')

const resolutionTo = (entity: Entity, name: string): Resolution => ({
  entity,
  stage: 'alias',
  confidence: 1,
  ambiguous: false,
  candidates: [entity],
  readings: [{ entity, form: name, cases: [], rule: 'alias' }],
})

/** Resolves a written name, to a Gracz only when no other type has the name (FORMATS 4.5). */
const resolveWritten = (overlay: Overlay, name: string): Resolution => {
  const known = overlay.written.get(name)
  if (known !== undefined) return known
  const first = resolveName(overlay.names, name, { types: writable, upTo: 'alias' })
  const given = overlay.aliases.get(nameKey(name))
  if (first.stage === 'miss' && given !== undefined) return resolutionTo(given, name)
  const found = first.stage === 'miss' ? resolveName(overlay.names, name, { upTo: 'alias' }) : first
  if (found.stage !== 'miss') overlay.written.set(name, found)
  return found
}

/** Resolves a name that an effect depends on: a written name, else an inflected form (D50). */
const target = (overlay: Overlay, name: string): FormResolution => {
  const written = resolveWritten(overlay, name)
  if (written.stage !== 'miss') return { found: written, isForm: false }
  const known = overlay.forms.get(name) ?? resolveUpToForms(overlay.names, name, [writable, null])
  overlay.forms.set(name, known)
  return known
}

/** The block that a name of an effect means. */
export type Meant =
  /** `isForm`: the name is no written name of the block. */
  | { readonly _tag: 'Block'; readonly entity: Entity; readonly isForm: boolean }
  | { readonly _tag: 'Several'; readonly candidates: ReadonlyArray<Entity> }
  /** The name meant several blocks at close, so its effect never applies. */
  | { readonly _tag: 'SeveralAtClose' }
  /** The block meant at close no longer exists; a block with its name today is another one. */
  | { readonly _tag: 'Gone'; readonly record: BlockRecord }
  | { readonly _tag: 'Nobody' }

const resolveNow = (overlay: Overlay, name: string): Meant => {
  const { found, isForm } = target(overlay, name)
  if (found.entity !== null) return { _tag: 'Block', entity: found.entity, isForm }
  return found.ambiguous ? { _tag: 'Several', candidates: found.candidates } : { _tag: 'Nobody' }
}

const resolveAtClose = (overlay: Overlay, name: string, record: BlockRecord): Meant => {
  const entity = findRecorded(overlay.entities, record)
  if (entity === null) return { _tag: 'Gone', record }
  const { found, isForm } = target(overlay, name)
  return { _tag: 'Block', entity, isForm: isForm && found.entity === entity }
}

const resolveMeaning = (overlay: Overlay, meaning: Meaning | null, name: string): Meant => {
  const recall = recallOf(meaning)
  const record = recall.block(name)
  if (record !== null) return resolveAtClose(overlay, name, record)
  return recall.isSeveral(name) ? { _tag: 'SeveralAtClose' } : resolveNow(overlay, name)
}

/**
 * The block that an effect of a closed session names: the recorded one, else the one that the name resolves
 * to now (D61).
 */
export const blockMeant = (overlay: Overlay, { session, meaning }: ClosedSession, name: string): Meant => {
  const meant = resolveMeaning(overlay, meaning, name)
  if (meant._tag === 'Block') overlay.witness?.block(session, name, meant.entity)
  if (meant._tag === 'Several') overlay.witness?.several(session, name)
  return meant
}

/** The owner that a name in a `@należy_do` row means: a block with the written name, or the key of the name. */
const ownerOf = (overlay: Overlay, name: string): Owner =>
  resolveWritten(overlay, name).entity ?? nameKey(name)

/** The owner that a row names: the recorded one, else by its text. */
export const rowOwner = (overlay: Overlay, row: Row): Owner =>
  (row.owner === undefined ? null : findRecorded(overlay.entities, row.owner)) ?? ownerOf(overlay, row.value)

/** The owner on a side of a transfer. */
export const sideOwner = (overlay: Overlay, meant: Meant, name: string): Owner =>
  meant._tag === 'Block' ? meant.entity : ownerOf(overlay, name)

/** The overlay before any session: stacks as the blocks have them, and no timelines. */
export const newOverlay = (entities: Entities, names: NameIndex, witness: Witness | null = null): Overlay => {
  const timelines = newTimelines()
  const overlay: Overlay = {
    entities,
    names,
    timelines,
    written: new Map(),
    forms: new Map(),
    aliases: new Map(),
    stacks: stacksOf(entities, {
      rowsOf: (item, tag) => rowsOf(timelines, item, tag),
      ownerOf: row => rowOwner(overlay, row),
      ownerNamed: name => ownerOf(overlay, name),
      ownerOn: (item, day) => {
        const row = timelineRowOn(timelines, item, 'należy_do', day)
        return row === null || row.value === '' ? null : rowOwner(overlay, row)
      },
      goneOn: (item, day) => valueOn(timelines, item, 'status', day) === 'Usunięty',
    }),
    findings: [],
    witness,
  }
  return overlay
}

/** The reason of a finding about a name that meant several blocks when its session was closed. */
export const severalReason = (name: string): string =>
  `Nazwa „${name}” oznaczała przy zamknięciu sesji więcej niż jedną encję.`

/** The reason of a finding about a recorded block that no file contains any more. */
export const explainLoss = (name: string, { heading, type }: BlockRecord): string =>
  `Nazwa „${name}” oznaczała przy zamknięciu sesji blok ${type} „${heading}”, którego już nie ma.`
