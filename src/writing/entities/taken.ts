import { type EntityType, hasHiddenCharacter, type NameKey, nameKey } from '#protocol/atoms.js'
import { bounds } from '#protocol/bounds.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { findRecorded, wasEver } from '#src/domain/entities/reading.js'
import { headingOf } from '#src/domain/lore/blocks.js'
import { segmentFault } from '#src/domain/lore/layout.js'
import { linesOf } from '#src/domain/lore/lines.js'
import { endsAsMark, textFault, valueText } from '#src/domain/lore/rows/rows.js'
import { isTopicLine } from '#src/domain/lore/topic-text.js'
import { mixedWordIn } from '#src/domain/names/look-alike.js'
import { resolveName } from '#src/domain/names/resolve.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import { recordsOfKey } from '#src/domain/sessions/effects/closed-sessions.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/**
 * A block of the type that already has a name, by heading or by another spelling, other than `than`; null
 * when there is none.
 */
export const bearerOf = (
  entities: Entities,
  key: NameKey,
  type: EntityType,
  than: Entity | null = null,
): Entity | null => {
  const all = [...(entities.byHeading.get(key) ?? []), ...(entities.byAlias.get(key) ?? [])]
  return all.find(one => one.type === type && isOther(one, than)) ?? null
}

/** The refusal of a name that the given block has already. */
export const nameTaken = (name: string, { name: heading, type }: Entity): RefusalOf<'NameTaken'> => {
  const how = nameKey(name) === nameKey(heading) ? '' : ` as another spelling of "${heading}"`
  return refuse('NameTaken', `${aType(type)} already has the name "${name}"${how}. Choose another name.`, {
    name,
    type,
  })
}

/**
 * Refuses a name by which a closed session or a move of money means another block, or one that no longer exists:
 * `findRecorded` would then find the claimant, and the effects would change hands (D61). A homonym of a type
 * that was never recorded is allowed.
 */
export const recordTaken = (
  snapshot: Pick<Snapshot, 'entities' | 'closeLedger' | 'moves'>,
  names: ReadonlyArray<string>,
  { type, entity }: Claimant,
): RefusalOf<'NameTaken'> | null => {
  for (const name of names) {
    const key = nameKey(name)
    for (const record of recordsOfKey(snapshot, key).blocks) {
      if (record.type !== type && (entity === null || !wasEver(entity, record.type))) continue
      const meant = findRecorded(snapshot.entities, record)
      const stays = meant !== null && meant.key === key && meant.type === record.type
      if (stays || (meant !== null && meant === entity)) continue
      const used = `A closed session or a move of money uses the name "${name}" for another ${record.type}.`
      const detail = `${used} Choose another name.`
      return refuse('NameTaken', detail, { name, type: record.type })
    }
  }
  return null
}

/** A name in the form of a heading: NFC, blanks collapsed. */
export const nameText = headingOf

/**
 * Why a text cannot be a heading; null when it can. `name` is the text after `nameText`, `written` as it
 * came.
 */
export const nameFault = (written: string): string | null => {
  const name = nameText(written)
  const fault = textFault(valueText(written)) ?? faults.find(([, has]) => has(name))?.[0] ?? null
  if (fault !== null) return fault
  const line = linesOf(`### ${name}`).lines[0]
  return line?._tag === 'Header' && line.level === 3 && line.text === name ? null : 'cannot be a heading'
}

/** Why a text cannot be a name because a word of it mixes scripts; null when none does. */
export const scriptFault = (name: string): string | null => {
  const mixed = mixedWordIn(name)
  if (mixed === null) return null
  const { word, scripts } = mixed
  return `mixes letters of several scripts (${scripts.join(', ')}) in the word "${word}"; write it in one script`
}

/**
 * Why a text cannot be the heading of a block of the type; a Postać also needs it as the name of its file.
 */
export const headingFault = (written: string, type: EntityType): string | null =>
  nameFault(written) ??
  scriptFault(nameText(written)) ??
  (type === 'Postać' ? segmentFault(`${nameText(written)}.md`) : null)

/**
 * The refusal of a spelling that is a name of another block, or a form of one in any grammatical case, behind
 * titles and by `lematy.tsv` too: the block that got it would take the form over. Null when no other block has it.
 * `than` is null for a block that does not exist yet.
 */
export const formTaken = (
  { names }: Snapshot,
  surface: string,
  than: Entity | null,
): RefusalOf<'NameTaken'> | null => {
  const within = (entity: Entity): boolean => entity !== than
  const { candidates, stage } = resolveName(names, surface, { upTo: 'lemma', topN: 1, within })
  const [owner] = candidates
  if (owner === undefined) return null
  if (stage === 'exact' || stage === 'alias') return nameTaken(surface, owner)
  const owned = `"${surface}" is a form of the name "${owner.name}" of another block (${owner.type})`
  const detail = `${owned}. Choose another spelling.`
  return refuse('NameTaken', detail, { name: surface, type: owner.type })
}

/** A type with its English article at the beginning of a sentence: `A Postać`, but `An NPC`. */
export const aType = (type: EntityType): string => `${type === 'NPC' ? 'An' : 'A'} ${type}`

const isOther = (entity: Entity, than: Entity | null): boolean => entity !== than

/** A block as a write would leave it: the type that it gets, and its present entity; null for a new block. */
interface Claimant {
  readonly type: EntityType
  readonly entity: Entity | null
}

/** The longest name, in UTF-16 code units. */
const nameCharsMax = bounds.nameChars.limit

/**
 * The longest name, in bytes: a name may become the name of a file or folder, which has 255 bytes with its
 * extension.
 */
const nameBytesMax = 240

const scheme = /\b(?:bearer|basic) +/giu

/** Whether a text has a credential; a name may begin with the word of a scheme (`Basic`). */
const hasCredential = (name: string): boolean => {
  const text = name.replace(scheme, '')
  return redactCredentials(text) !== text
}

/** Names that Windows reserves for devices. */
const device = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])$/iu

const faults: ReadonlyArray<readonly [fault: string, has: (name: string) => boolean]> = [
  [`is longer than ${nameCharsMax} characters`, name => name.length > nameCharsMax],
  [`is longer than ${nameBytesMax} bytes`, name => Buffer.byteLength(name) > nameBytesMax],
  ['has an invisible character', hasHiddenCharacter],
  ['begins with a Markdown sign', name => /^[#@\-*+>`~.]/u.test(name)],
  ['has a slash', name => /[/\\]/u.test(name)],
  ['ends with a dot', name => name.endsWith('.')],
  ['is a name that file systems reserve', name => device.test(name)],
  ['ends like a range (from:to) or (auto)', endsAsMark],
  ['reads as restricted topics, by which nothing is found', isTopicLine],
  ['has a credential', hasCredential],
  ['has no letter or digit', name => !/[\p{L}\p{N}]/u.test(name)],
]
