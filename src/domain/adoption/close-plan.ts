import { type Day, type Instant, type NameKey, nameKey } from '#protocol/atoms.js'
import type { Entities } from '#src/domain/entities/entity.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { ledgerKey, ledgerKeyOf } from '#src/domain/lore/session-header.js'
import { ensureNameIndexInSlices } from '#src/domain/names/name-index.js'
import { nearestNamesInSlices } from '#src/domain/names/nearest.js'
import { resolveName, resolveUpToForms } from '#src/domain/names/resolve.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import {
  type ClosingGround,
  closeRowOf,
  lacksMeaning,
  recordMeaningsInSlices,
  withMeaning,
} from '#src/domain/sessions/effects/closed-sessions.js'
import { placesIn } from '#src/domain/sessions/reading/mentions.js'
import {
  copyWithoutTopics,
  type Meaning,
  type SessionCopy,
  type Sessions,
} from '#src/domain/sessions/session.js'
import { forEachInSlices, mapInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { closingGroundInSlices } from './adopted-tree.js'
import { extendText } from './ledger-plan.js'
import { treeOfFiles } from './legacy/manifest.js'
import { findingOfNotice } from './legacy/outline.js'

/** For each row of the close ledger without a meaning, by its text: the files of the commit that added it. */
export type PastRows = ReadonlyMap<string, ReadonlyMap<string, SourceFile>>

/**
 * The close ledger with every session older than adoption closed, so that nothing is delivered or transferred
 * again. Only the first adoption closes sessions: in a stamped repository a session without a line is open,
 * and rows of an earlier release get the meaning of their sessions (D61). Null when nothing changes.
 */
export const planCloseLedger = function* (
  file: SourceFile | undefined,
  ground: ClosingGround,
  at: { readonly now: Instant; readonly today: Day; readonly stamped: boolean },
  past: PastRows,
): Sliced<string | null> {
  if (at.stamped) {
    const text = yield* upgradeText(file, past)
    return text === file?.text ? null : text
  }
  const { closed } = ground.closeLedger
  const old = ground.sessions.all.filter(
    session => session.date < at.today && !closed.has(ledgerKeyOf(session)),
  )
  const meanings = yield* recordMeaningsInSlices(ground, new Set(old.map(ledgerKeyOf)))
  const lines = yield* mapInSlices(old, session =>
    JSON.stringify({
      header: session.header,
      op: 'close',
      at: at.now,
      by: 'adoption',
      source: 'adoption',
      transfers: [],
      intel: [],
      meaning: meanings.get(ledgerKeyOf(session)),
    }),
  )
  return extendText(file, lines)
}

/** How many findings get near names: each look-up compares the name with every spelling. */
export const nearMax = 500

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

type Files = ReadonlyMap<string, SourceFile>

const keyOfRow = (row: string): NameKey => ledgerKey(closeRowOf(row)?.header ?? '')

/**
 * The meanings of rows by their text, each computed from the repository at the time when the row was added.
 */
const meaningsOfRows = function* (past: PastRows): Sliced<ReadonlyMap<string, Meaning>> {
  const rowsOf = new Map<Files, Array<string>>()
  for (const [row, files] of past) {
    const rows = rowsOf.get(files)
    if (rows === undefined) rowsOf.set(files, [row])
    else rows.push(row)
  }
  const found = new Map<string, Meaning>()
  for (const [files, rows] of rowsOf) {
    const ground = yield* closingGroundInSlices(treeOfFiles(files.values()))
    const meanings = yield* recordMeaningsInSlices(ground, new Set(rows.map(keyOfRow)))
    for (const row of rows) {
      const meaning = meanings.get(keyOfRow(row))
      if (meaning !== undefined) found.set(row, meaning)
    }
  }
  return found
}

/**
 * The ledger with a meaning in each row that lacked one and whose commit could be read; every other byte is
 * kept.
 */
const upgradeText = function* (file: SourceFile | undefined, past: PastRows): Sliced<string | null> {
  const rows = new Map([...past].filter(([row]) => lacksMeaning(row)))
  if (file === undefined || rows.size === 0) return null
  const meanings = yield* meaningsOfRows(rows)
  return file.text
    .split('\n')
    .map(raw => {
      const line = raw.replace(/\r$/u, '')
      const meaning = meanings.get(line)
      return meaning === undefined ? raw : withMeaning(line, meaning) + raw.slice(line.length)
    })
    .join('\n')
}

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

const suggestionOf = (near: ReadonlyArray<string>): string =>
  near.length === 0
    ? 'Add a block for it, or add an @alias to the right block.'
    : `Add a block for it, or add an @alias to the right block; the nearest are ${near.join(', ')}.`

interface Unresolved {
  readonly use: Use
  readonly copy: SessionCopy
  times: number
}
