import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { EntityType } from '#protocol/atoms.js'
import type { UnresolvedName } from '#protocol/lore/session-writes.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { placesMeant } from '#src/domain/entities/places.js'
import { firstNames } from '#src/domain/names/name-index.js'
import { nearestNames } from '#src/domain/names/nearest.js'
import { resolveName, resolveUpToForms } from '#src/domain/names/resolve.js'
import { closingOf } from '#src/domain/sessions/effects/closed-sessions.js'
import { judgeSession } from '#src/domain/sessions/effects/judgement.js'
import { intelNames, intelTargetOf } from '#src/domain/sessions/intel-recipients.js'
import { placesIn } from '#src/domain/sessions/reading/mentions.js'
import { foldNarrator } from '#src/domain/sessions/reading/narrators.js'
import type { Session } from '#src/domain/sessions/session.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { SessionBlocks } from './render.js'

/** The result of looking up the names of a new session in the index. */
export interface NamesFound {
  /** Characters that get PU; the write depends on them. */
  readonly characters: ReadonlyArray<Entity>
  /** Names that the session stores although the index does not resolve them. */
  readonly unresolved: ReadonlyArray<UnresolvedName>
}

/**
 * Checks the names of a session to write. Each PU entry must name one Postać, and a place must not be a leaf
 * that several places share; otherwise one refusal lists all such names with the nearest ones. Any other name
 * that the index does not resolve is stored and reported (docs/spec/sessions.md#create).
 */
export const namesFound = (
  snapshot: Snapshot,
  narrators: ReadonlyArray<string>,
  blocks: Partial<SessionBlocks>,
): Either<RefusalOf<'NameUnresolved'>, NamesFound> => {
  const judged: Judged = { near: suggestionsOf(snapshot), characters: [], refused: [], loose: [] }
  judgePoints(snapshot, blocks.points ?? [], judged)
  judgePlaces(snapshot, blocks.locations ?? [], judged)
  judgeOthers(snapshot, narrators, blocks, judged)
  judgeIntel(snapshot, blocks.intel ?? [], judged)
  const { characters, refused, loose } = judged
  if (refused.length === 0) return right({ characters, unresolved: loose })
  const told = refused.map(one => `"${one.name}"`).join(', ')
  return left(
    refuse(
      'NameUnresolved',
      `These names do not match exactly one block: ${told}. Write each as the index has it.`,
      { names: refused },
    ),
  )
}

/**
 * What the close of a session will say about its Transfers beside their names: sides without a purse on the day, for
 * which they stay pending, and Transfers that can never apply. None for a session whose effects are final.
 */
export const judgeTransfers = (snapshot: Snapshot, session: Session): ReadonlyArray<UnresolvedName> => {
  if (session.transfers.length === 0 || closingOf(snapshot, session.header) !== null) return []
  return judgeSession(snapshot, session).payments.flatMap((payment, at): ReadonlyArray<UnresolvedName> => {
    const { transfer, state } = payment
    const sides = (['source', 'destination'] as const).filter(side => payment[side].lacksPurse)
    const field = `metadata.transfers[${at}]`
    if (sides.length > 0)
      return sides.map(side => ({
        field: `${field}.${side}`,
        name: transfer[side],
        why: 'purse',
        suggestions: [],
      }))
    const meansTwo = payment.source.owner !== null && payment.destination.owner !== null
    return state === 'refused' && meansTwo
      ? [{ field, name: transfer.source, why: 'refused', suggestions: [] }]
      : []
  })
}

/** How many names of a request are compared with the index; further ones get no suggestions. */
const suggestedMax = 16

/**
 * Returns a function that finds the nearest names. It looks up each name once and only the first few, because
 * a comparison goes through the whole index.
 */
const suggestionsOf = ({ names }: Snapshot) => {
  const known = new Map<string, ReadonlyArray<string>>()
  return (name: string, type: EntityType | null): ReadonlyArray<string> => {
    const at = `${type}:${name}`
    const found = known.get(at) ?? (known.size < suggestedMax ? nearestNames(names, name, type) : [])
    known.set(at, found)
    return found
  }
}

/** The blocks that a name may mean, the first few by name. */
const suggestNames = (all: ReadonlyArray<Entity>): Pick<UnresolvedName, 'suggestions' | 'more'> => {
  const { names, more } = firstNames(all, one => one.name)
  return more === 0 ? { suggestions: names } : { suggestions: names, more }
}

interface Judged {
  readonly near: ReturnType<typeof suggestionsOf>
  readonly characters: Array<Entity>
  readonly refused: Array<RefusalOf<'NameUnresolved'>['names'][number]>
  readonly loose: Array<UnresolvedName>
}

const judgePoints = ({ names }: Snapshot, points: SessionBlocks['points'], judged: Judged): void => {
  for (const [at, { character: name }] of points.entries()) {
    const found = resolveName(names, name, { types: ['Postać'], upTo: 'alias' })
    if (found.entity !== null) judged.characters.push(found.entity)
    else
      judged.refused.push({
        field: `metadata.pu[${at}].character`,
        name,
        why: found.ambiguous ? 'ambiguous' : 'unknown',
        ...(found.ambiguous ? suggestNames(found.candidates) : { suggestions: judged.near(name, 'Postać') }),
      })
  }
}

const judgePlaces = (snapshot: Snapshot, locations: SessionBlocks['locations'], judged: Judged): void => {
  const { entities, day } = snapshot
  for (const [at, written] of locations.entries())
    for (const { text: name, place } of placesIn(entities, written, day)) {
      if (place !== null) continue
      const field = `metadata.locations[${at}]`
      const meant = placesMeant(entities, name)
      if (meant.length > 1) judged.refused.push({ field, name, why: 'ambiguous', ...suggestNames(meant) })
      else judged.loose.push({ field, name, why: 'unknown', suggestions: judged.near(name, 'Lokacja') })
    }
}

/**
 * Checks the recipients of Intel. An unknown recipient is stored but receives nothing, so the answer reports
 * it (FORMATS 4.6).
 */
const judgeIntel = ({ names }: Snapshot, intel: SessionBlocks['intel'], { near, loose }: Judged): void => {
  for (const [at, { target }] of intel.entries())
    for (const { name, type, found } of intelNames(names, intelTargetOf(target))) {
      if (found.entity !== null) continue
      const field = `metadata.intel[${at}].target`
      if (found.ambiguous) loose.push({ field, name, why: 'ambiguous', ...suggestNames(found.candidates) })
      else loose.push({ field, name, why: 'unknown', suggestions: near(name, type) })
    }
}

const judgeOthers = (
  { names, config, day }: Snapshot,
  narrators: ReadonlyArray<string>,
  blocks: Partial<SessionBlocks>,
  { near, loose }: Judged,
): void => {
  for (const [at, name] of narrators.entries())
    if (foldNarrator({ names, config }, name, day)._tag === 'Unknown')
      loose.push({
        field: `narrators[${at}]`,
        name,
        why: 'unknown',
        suggestions: near(name, 'Gracz'),
      })
  const others = [
    ...(blocks.participants ?? []).map((name, at) => ({ name, field: `metadata.participants[${at}]` })),
    ...(blocks.changes ?? []).map((one, at) => ({
      name: one.entity,
      field: `metadata.changes[${at}].entity`,
    })),
    ...(blocks.transfers ?? []).flatMap(({ source, destination }, at) => [
      { name: source, field: `metadata.transfers[${at}].source` },
      { name: destination, field: `metadata.transfers[${at}].destination` },
    ]),
  ]
  for (const { name, field } of others) {
    const { found } = resolveUpToForms(names, name)
    if (found.entity === null)
      loose.push({
        field,
        name,
        why: found.ambiguous ? 'ambiguous' : 'unknown',
        ...suggestNames(found.candidates),
      })
  }
}
