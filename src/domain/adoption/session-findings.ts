import { type Day, type NameKey, nameKey } from '#protocol/atoms.js'
import type { Entities } from '#src/domain/entities/entity.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { ensureNameIndexInSlices } from '#src/domain/names/name-index.js'
import { nearestNamesInSlices } from '#src/domain/names/nearest.js'
import { resolveUpToForms } from '#src/domain/names/reach/resolve-forms.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import { resolveName } from '#src/domain/names/resolve.js'
import { placesIn } from '#src/domain/sessions/naming/places.js'
import type { SessionCopy, Sessions } from '#src/domain/sessions/session.js'
import { copyWithoutTopics } from '#src/domain/sessions/shown-session.js'
import { forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { findingOfNotice } from './legacy/noticed.js'

/** A name in a session, and the kind of the finding if nothing has it. */
interface Use {
  readonly kind: 'UnresolvedCharacter' | 'UnresolvedChange' | 'UnresolvedIntel' | 'UnresolvedPlace'
  readonly name: string
}

const said: Readonly<Record<Use['kind'], string>> = {
  UnresolvedCharacter: 'gets PU, but is not the heading or alias of a Postać',
  UnresolvedChange: 'is changed by Zmiany and has no block',
  UnresolvedIntel: 'receives Intel and has no block',
  UnresolvedPlace: 'is a place of a session and has no block',
}

/** PU go to written names alone; effects also to inflected forms (D50). */
const isCredited = (names: NameIndex, name: string): boolean => {
  const { entity, ambiguous } = resolveName(names, name, { upTo: 'alias', types: ['Postać'] })
  return entity !== null || ambiguous
}

const isKnown = (names: NameIndex, name: string): boolean =>
  resolveUpToForms(names, name).found.stage !== 'miss'

const intelUses = (names: NameIndex, target: string): ReadonlyArray<Use> => {
  const directed = /^(Grupa|Lokacja)\/([^]*)$/u.exec(target)
  const parts = directed === null ? target.split(',') : [directed[2] ?? '']
  return parts
    .map(name => name.trim())
    .filter(name => name !== '' && !isKnown(names, name))
    .map(name => ({ kind: 'UnresolvedIntel', name }))
}

const usesOf = (
  copy: SessionCopy,
  entities: Entities,
  names: NameIndex,
  excluded: ReadonlySet<NameKey>,
  day: Day,
): ReadonlyArray<Use> => [
  ...copy.points
    .filter(({ character }) => !isCredited(names, character))
    .map(({ character }) => ({ kind: 'UnresolvedCharacter', name: character }) as const),
  ...copy.changes
    .filter(({ entity }) => !isKnown(names, entity))
    .map(({ entity }) => ({ kind: 'UnresolvedChange', name: entity }) as const),
  ...copy.intel.flatMap(({ target }) => intelUses(names, target)),
  ...copy.locations
    .flatMap(text => placesIn(entities, text, day))
    .filter(({ text, place }) => place === null && !excluded.has(nameKey(text)))
    .map(({ text }) => ({ kind: 'UnresolvedPlace', name: text }) as const),
]

/** How many findings get near names: each look-up compares the name with every spelling. */
export const nearMax = 500

const suggestionOf = (near: ReadonlyArray<string>): string =>
  near.length === 0
    ? 'Add a block for it, or add an @alias to the right block.'
    : `Add a block for it, or add an @alias to the right block; the nearest are ${near.join(', ')}.`

interface Unresolved {
  readonly use: Use
  readonly copy: SessionCopy
  times: number
}

/**
 * Findings for names in sessions that no block has, each once with its first place (FORMATS 9, step 8); PU
 * count written names only, effects also inflected forms. Skips places that reviewers excluded. Yields after
 * every few sessions.
 */
export const reportUnresolvedNames = function* (
  sessions: Sessions,
  entities: Entities,
  excluded: ReadonlySet<NameKey>,
  day: Day,
): Sliced<ReadonlyArray<Finding>> {
  const names = yield* ensureNameIndexInSlices(entities)
  yield
  const found = new Map<string, Unresolved>()
  yield* forEachInSlices(sessions.all, session => {
    for (const copy of session.copies) {
      for (const use of usesOf(copyWithoutTopics(copy), entities, names, excluded, day)) {
        const key = `${use.kind}/${nameKey(use.name)}`
        const known = found.get(key)
        if (known === undefined) found.set(key, { use, copy, times: 1 })
        else known.times += 1
      }
    }
  })
  const findings: Array<Finding> = []
  for (const { use, copy, times } of found.values()) {
    const type = use.kind === 'UnresolvedCharacter' ? 'Postać' : null
    const near = findings.length < nearMax ? yield* nearestNamesInSlices(names, use.name, type) : []
    findings.push(
      findingOfNotice({
        kind: use.kind,
        severity: use.kind === 'UnresolvedCharacter' ? 'error' : 'warning',
        file: copy.path,
        line: copy.line,
        subject: use.name,
        reason: `"${use.name}" ${said[use.kind]} (${times === 1 ? 'once' : `${times} times`}).`,
        suggestion: suggestionOf(near),
      }),
    )
    yield
  }
  return findings
}
