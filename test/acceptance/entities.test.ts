import { type Day, dayOf, nameKey } from '#protocol/atoms.js'
import type { Entities } from '#src/domain/entities/entity.js'
import { parseBlocks } from '#src/domain/lore/blocks.js'
import { activeOn, parseBound, splitRange } from '#src/domain/lore/rows/days.js'
import { valuesOn } from '#src/domain/lore/rows/deciding-order.js'
import { nameIndexOf } from '#src/domain/names/name-index.js'
import { mergeSessions } from '#src/domain/sessions/merge.js'
import { parseSessionFile } from '#src/domain/sessions/reading/session-file.js'
import type { Sessions } from '#src/domain/sessions/session.js'
import { acceptance, fieldsAt, fixtureText, textAt, textsAt } from '#test/support/acceptance.js'
import { buildOverlay, parseCloseLedger } from '#test/support/at-once.js'
import { legacyEntities } from '#test/support/legacy/legacy-entities.js'
import { legacyViewOf } from '#test/support/legacy/legacy-view.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { day, sourceFile, worldOf } from '#test/support/world.js'

const today = day('2026-06-15')
const dayAt = (input: Fields): Day => dayOf(textAt(input, 'activeOn') ?? '') ?? today

const rangeOf = (fields: Fields) => ({
  from: dayOf(textAt(fields, 'validFrom') ?? ''),
  to: dayOf(textAt(fields, 'validTo') ?? ''),
})

const textOfNested = (bullets: ReadonlyArray<string>, on: Day): string | null => {
  const text = `### A\n- @info:\n${bullets.map(one => `    - ${one}\n`).join('')}`
  const [block] = parseBlocks(sourceFile('encje/indeks.md', text)).blocks
  return block === undefined ? null : valuesOn(block.rows, 'info', on).join('\n')
}

const allActive = (input: Fields): Fields => {
  const history: unknown = input['history']
  const entries = Array.isArray(history) ? history.filter(isFields) : []
  const on = dayAt(input)
  const values = entries
    .filter(one => activeOn(rangeOf(one), on))
    .map(one => one[textAt(input, 'property') ?? ''])
  return { values }
}

/** The unit inputs of the cases, each by the field that marks it. */
const units: Readonly<Record<string, (input: Fields) => unknown>> = {
  validityString: input => {
    const { text, range } = splitRange(textAt(input, 'validityString') ?? '')
    return { text, validFrom: range.from, validTo: range.to }
  },
  partialDate: input => ({
    date: parseBound(textAt(input, 'partialDate') ?? '', input['isEnd'] === true ? 'to' : 'from'),
  }),
  temporal: input => {
    const fields = fieldsAt(input, 'temporal') ?? {}
    return { active: activeOn(rangeOf(fields), dayAt(fields)) }
  },
  allActive: input => allActive(fieldsAt(input, 'allActive') ?? {}),
  cn: input => {
    const { name, type } = fieldsAt(input, 'cn') ?? {}
    const entities = worldOf({ 'encje/indeks.md': `### ${String(name)}\n- @typ: ${String(type)}\n` }).entities
    const [entity] = entities.all
    return entity === undefined ? null : legacyViewOf(entities, entity, today)
  },
  nestedBullets: input => ({ text: textOfNested(textsAt(input, 'nestedBullets'), dayAt(input)) }),
}

const describeEntity = (entities: Entities, input: Fields): unknown => {
  const [name, type, on] = [textAt(input, 'entity'), textAt(input, 'type'), dayAt(input)]
  const chosen = entities.all.filter(
    one => (name === null || one.key === nameKey(name)) && (type === null || one.type === type),
  )
  const views = chosen.map(one => legacyViewOf(entities, one, on))
  if (name === null) return type === null ? { count: views.length } : views
  const [first] = views
  return first === undefined ? null : { ...first, matches: views }
}

const parseCase = (input: Fields, id: string): unknown => {
  const unit = Object.keys(units).find(field => field in input)
  if (unit !== undefined) return units[unit]?.(input)
  const entities = legacyEntities(textsAt(input, 'fixtures'))
  const answer = describeEntity(entities, input)
  return id === 'entities-parse-069' ? entities.all.map(one => legacyViewOf(entities, one, today)) : answer
}

acceptance('entities-parse', {
  run: parseCase,
  deviations: {
    'entities-parse-013': {
      adr: 1032,
      why: 'Without a day a row is judged as of today, so a closed range is not active (FORMATS 1.5).',
      instead: { active: false },
    },
    'entities-parse-029': {
      adr: 1032,
      why: 'The path is a function of the blocks; there is no table keyed by bare names to look into (FORMATS 1.7).',
      instead: { cn: 'Lokacja/Enroth/Erathia' },
    },
  },
})

const sessionsOf = (input: Fields): Sessions =>
  mergeSessions(
    textsAt(input, 'sessions').map(name => parseSessionFile(sourceFile(`Sesje/${name}`, fixtureText(name)))),
  )

/** The entities with what the sessions state, every session closed as adoption records it. */
const overlay = (input: Fields): Entities => {
  const entities = legacyEntities(textsAt(input, 'entities'))
  const sessions = sessionsOf(input)
  const closed = sessions.all.map(({ header }) =>
    JSON.stringify({
      header,
      op: 'close',
      at: '2024-12-01T00:00:00Z',
      by: 'adoption',
      source: 'adoption',
      transfers: 0,
      intel: 0,
    }),
  )
  const ledger = parseCloseLedger(sourceFile('.svc/close/ledger.jsonl', `${closed.join('\n')}\n`))
  return buildOverlay(entities, nameIndexOf(entities), sessions, ledger).entities
}

const stateCase = (input: Fields, id: string): unknown => {
  if (id === 'entity-state-014') {
    const [first] = sessionsOf(input).all.filter(session => session.transfers.length > 0)
    return { 'session(with transfers)[0].transfers[0]': first?.transfers[0] }
  }
  const entities = overlay(input)
  if (id === 'entity-state-022')
    return Object.fromEntries(entities.all.map(one => [one.name, legacyViewOf(entities, one, today)]))
  if (id === 'entity-state-021') return entities.all.map(one => legacyViewOf(entities, one, today))
  return describeEntity(entities, input)
}

acceptance('entity-state', {
  run: stateCase,
})
