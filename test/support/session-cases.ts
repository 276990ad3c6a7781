import type { Entities } from '#src/domain/entities/entity.js'
import { nameIndexOf } from '#src/domain/names/name-index.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import { type Overlaid } from '#src/domain/sessions/effects/overlay.js'
import { mergeSessions } from '#src/domain/sessions/merge.js'
import { narratorsOf } from '#src/domain/sessions/reading/narrators.js'
import { parseSessionFile } from '#src/domain/sessions/reading/session-file.js'
import type { Session, SessionCopy, Sessions } from '#src/domain/sessions/session.js'
import { buildOverlay, parseCloseLedger } from '#test/support/at-once.js'
import { fixtureText } from './acceptance.js'
import type { Fields } from './matching.js'
import { day, hostConfig, sourceFile } from './world.js'

/** The merged sessions of texts by path. */
export const sessionsOfTexts = (texts: Readonly<Record<string, string>>): Sessions =>
  mergeSessions(
    Object.keys(texts)
      .sort()
      .map(path => parseSessionFile(sourceFile(path, texts[path] ?? ''))),
  )

export const sessionsOfFixtures = (names: ReadonlyArray<string>): Sessions =>
  sessionsOfTexts(Object.fromEntries(names.map(name => [name, fixtureText(name)])))

/** The overlay with every session closed. */
export const closeAndOverlay = (entities: Entities, sessions: Sessions): Overlaid => {
  const lines = sessions.all.map(({ header }) =>
    JSON.stringify({ header, op: 'close', at: '2026-01-01T00:00:00Z', by: 'test', source: 'close' }),
  )
  const ledger = parseCloseLedger(sourceFile('.svc/close/ledger.jsonl', lines.join('\n')))
  return buildOverlay(entities, nameIndexOf(entities), sessions, ledger)
}

/** A session in the terms of the case files. */
export const sessionFields = (session: Session | SessionCopy, names: NameIndex | null): Fields => ({
  header: session.header,
  date: session.date,
  dateEnd: session.dateEnd,
  title: session.title,
  narratorRawText: session.narrator,
  narrator: session.narrator,
  narrators:
    names === null
      ? []
      : narratorsOf({ names, config: hostConfig(undefined) }, session.narrator, day('2026-06-15')).persons,
  format: session.generation,
  locations: session.locations,
  logs: session.logs,
  pu: session.points.map(one => ({
    character: one.character,
    value: one.value === null ? null : Number(one.value),
  })),
  changes: session.changes.map(change => ({ entityName: change.entity, tags: change.tags })),
  transfers: session.transfers,
  intel: session.intel,
})
