import type { Day } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import {
  countsOn,
  denominationsIn,
  heldOn,
  type Purse,
  pursesOf,
  supplyOn,
} from '#src/domain/currency/purses.js'
import { ownerBlockOn } from '#src/domain/entities/entities.js'
import { type Entities, statusOn } from '#src/domain/entities/entity.js'
import { findRecorded } from '#src/domain/entities/reading.js'
import { readQuantity } from '#src/domain/lore/figures.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { splitRange } from '#src/domain/lore/rows/days.js'
import { rowOn } from '#src/domain/lore/rows/deciding-order.js'
import { ledgerKeyOf } from '#src/domain/lore/session-header.js'
import { resolveUpToForms } from '#src/domain/names/resolve.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import { monthsBefore } from '#src/domain/points/batches.js'
import { recallOf } from '#src/domain/sessions/effects/overlay-state.js'
import type { CloseLedger, Session, Sessions } from '#src/domain/sessions/session.js'

/** What the checks of money read; a snapshot has it all. */
export interface MoneyLore {
  readonly entities: Entities
  readonly names: NameIndex
  readonly sessions: Sessions
  readonly closeLedger: CloseLedger
  readonly day: Day
}

/**
 * The findings of the five checks of money (FORMATS 7): balances below zero, balances whose last count is
 * older than three months, money of owners who are gone, sessions that make money or lose it, and the supply. A
 * sixth one finds purses that name several denominations.
 */
export const reconcileMoney = (lore: MoneyLore): ReadonlyArray<Finding> => [
  ...pursesOf(lore.entities).flatMap(purse => (countsOn(purse, lore.day) ? checkPurse(lore, purse) : [])),
  ...lore.sessions.all.flatMap(session => checkSession(lore, session)),
  ...supplyFindings(lore),
]

/** A balance whose last row began so many months ago is stale. */
const staleMonths = 3

type Check = Pick<Finding, 'kind' | 'severity' | 'reason' | 'suggestion'>

const findingAt = ({ item }: Purse, check: Check): Finding => ({
  ...check,
  file: item.file,
  line: item.line,
  subject: item.name,
})

const checkPurse = (lore: MoneyLore, purse: Purse): ReadonlyArray<Finding> => {
  const isActive = statusOn(purse.item, lore.day) === 'Aktywny'
  return [
    negative(lore, purse),
    several(purse),
    isActive ? stale(lore, purse) : null,
    isActive ? orphaned(lore, purse) : null,
  ].flatMap(check => (check === null ? [] : [findingAt(purse, check)]))
}

const negative = ({ day }: MoneyLore, purse: Purse): Check | null => {
  const held = heldOn(purse, day)
  return held >= 0
    ? null
    : {
        kind: 'NegativeBalance',
        severity: 'error',
        reason: `Stan sakiewki to ${held}.`,
        suggestion: 'Sprawdź w GET /audit/ledger, kto zapłacił więcej, niż miał.',
      }
}

const several = ({ item, denomination }: Purse): Check | null => {
  const others = denominationsIn(item).filter(one => one !== denomination)
  return others.length === 0
    ? null
    : {
        kind: 'SeveralDenominations',
        severity: 'warning',
        reason:
          `@generyczne_nazwy podają też: ${others.map(({ name }) => name).join(', ')}. ` +
          `Liczy się tylko „${denomination.name}”.`,
        suggestion: 'Zostaw jeden nominał, a na inne pieniądze załóż osobną sakiewkę.',
      }
}

/** A balance without a first day has no age. */
const stale = ({ day }: MoneyLore, { item }: Purse): Check | null => {
  const from = rowOn(item.rows, 'ilość', day)?.range.from ?? null
  const owner = rowOn(item.rows, 'należy_do', day)?.value ?? ''
  if (from === null || owner === '') return null
  const oldest = `${monthsBefore(day, staleMonths)}${day.slice(7)}`
  return from >= oldest
    ? null
    : {
        kind: 'StaleBalance',
        severity: 'warning',
        reason: `Ostatni wpis @ilość jest z ${from}, sprzed ponad ${staleMonths} miesięcy.`,
        suggestion: 'Potwierdź stan nowym wpisem @ilość.',
      }
}

const orphaned = ({ entities, day }: MoneyLore, { item }: Purse): Check | null => {
  const owner = ownerBlockOn(entities, item, day)
  if (owner === null) return null
  const status = owner.block === null ? null : statusOn(owner.block, day)
  if (status === 'Aktywny' || status === 'Niepewny') return null
  return {
    kind: 'OrphanedCurrency',
    severity: 'warning',
    reason:
      status === null
        ? `Właściciela „${owner.text}” nie ma w rejestrze.`
        : `Właściciel „${owner.text}” ma status ${status}.`,
    suggestion: 'Przekaż pieniądze komuś, kto jest aktywny, albo usuń sakiewkę.',
  }
}

/** The purse that the name of a change means: the one recorded at close, else the one that it means now. */
const purseNamed = (lore: MoneyLore, session: Session, name: string): Purse | null => {
  const record = recallOf(lore.closeLedger.meanings.get(ledgerKeyOf(session)) ?? null).block(name)
  const item =
    record === null
      ? resolveUpToForms(lore.names, name, [['Przedmiot']]).found.entity
      : findRecorded(lore.entities, record)
  return item === null ? null : (purseByItem(lore.entities).get(item) ?? null)
}

const purseByItem = perValue((entities: Entities) => new Map(pursesOf(entities).map(one => [one.item, one])))

/** A `+N` or `-N` without a range; an absolute quantity and a dated one say nothing about this session's sums. */
const deltaIn = (value: string): number | null => {
  const { text, range } = splitRange(value)
  return range.from === null && range.to === null && /^[+\-\u2212]/u.test(text)
    ? readQuantity(text, 'either')
    : null
}

const checkSession = (lore: MoneyLore, session: Session): ReadonlyArray<Finding> => {
  const sums = new Map<string, { readonly purse: Purse; sum: number }>()
  for (const { entity, tags } of session.changes)
    for (const { tag, value } of tags) {
      const delta = tag === 'ilość' ? deltaIn(value) : null
      const purse = delta === null ? null : purseNamed(lore, session, entity)
      if (delta === null || purse === null) continue
      const known = sums.get(purse.denomination.name)
      if (known === undefined) sums.set(purse.denomination.name, { purse, sum: delta })
      else known.sum += delta
    }
  return [...sums].flatMap(([denomination, { purse, sum }]) =>
    sum === 0
      ? []
      : [
          {
            // The place is the purse, so that every reader of entities may see it.
            ...findingAt(purse, {
              kind: 'AsymmetricTransaction',
              severity: 'warning',
              reason:
                `Zmiany sesji „${session.header}” dają w nominale „${denomination}” ` +
                `razem ${sum > 0 ? '+' : ''}${sum}, a nie 0.`,
              suggestion: 'Jeśli to nie łup ani opłata, dopisz drugą stronę albo użyj Transferu.',
            }),
            subject: session.header,
          },
        ],
  )
}

const supplyFindings = ({ entities, day }: MoneyLore): ReadonlyArray<Finding> =>
  supplyOn(entities, day).flatMap(({ denomination, amount }) => {
    const first = pursesOf(entities).find(purse => purse.denomination.name === denomination)
    return first === undefined
      ? []
      : [
          {
            kind: 'Supply',
            severity: 'info',
            file: first.item.file,
            line: null,
            subject: denomination,
            reason: `${denomination}: w obiegu jest ${amount}.`,
            suggestion: null,
          },
        ]
  })
