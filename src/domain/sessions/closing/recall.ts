import { type EntityType, type NameKey, nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { BlockRecord } from '#src/domain/entities/reading/block-record.js'
import type { Meaning } from './meaning.js'

const ownerKey = (name: string, of: EntityType): string => `${of}\n${nameKey(name)}`
const purseKey = (name: string, denomination: string): string => `${denomination}\n${nameKey(name)}`

/** Look-ups in a recorded meaning. */
export interface Recall {
  readonly block: (name: string) => BlockRecord | null
  readonly isSeveral: (name: string) => boolean
  readonly owner: (name: string, of: EntityType) => BlockRecord | null
  readonly purse: (name: string, denomination: string) => BlockRecord | null
  readonly recipients: (target: string) => ReadonlyArray<BlockRecord> | null
}

const recall = perValue((meaning: Meaning): Recall => {
  const blocks = new Map<NameKey, BlockRecord>(meaning.blocks.map(one => [nameKey(one.name), one]))
  const several = new Set(meaning.several?.map(nameKey))
  const owners = new Map(meaning.owners.map(one => [ownerKey(one.name, one.of), one]))
  const purses = new Map(
    meaning.purses.map(one => [
      purseKey(one.name, one.denomination),
      { heading: one.heading, type: 'Przedmiot' as const },
    ]),
  )
  const recipients = new Map(meaning.recipients.map(one => [one.target, one.blocks]))
  return {
    block: name => blocks.get(nameKey(name)) ?? null,
    isSeveral: name => several.has(nameKey(name)),
    owner: (name, of) => owners.get(ownerKey(name, of)) ?? null,
    purse: (name, denomination) => purses.get(purseKey(name, denomination)) ?? null,
    recipients: target => recipients.get(target) ?? null,
  }
})

const nothing: Recall = {
  block: () => null,
  isSeveral: () => false,
  owner: () => null,
  purse: () => null,
  recipients: () => null,
}

/** The look-ups in a meaning; those of null find nothing. */
export const recallOf = (meaning: Meaning | null): Recall => (meaning === null ? nothing : recall(meaning))
