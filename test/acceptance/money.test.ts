import { nameKey } from '#protocol/atoms.js'
import { moneyLedger } from '#src/domain/audit/money-ledger.js'
import { denominationOf } from '#src/domain/currency/denomination.js'
import {
  countOut,
  countsOn,
  heldOn,
  inKogi,
  type Purse,
  pursesHeldBy,
  pursesOf,
} from '#src/domain/currency/purses.js'
import { ownerOn, statusOn } from '#src/domain/entities/entity.js'
import { reconcileMoney } from '#src/domain/lint/reconciliation.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { acceptance, fieldsAt, fixtureText, textAt, textsAt } from '#test/support/acceptance.js'
import { adoptTexts } from '#test/support/legacy/adoption.js'
import type { WorldTexts } from '#test/support/legacy/legacy-world.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { type AskedRequest, runRequests } from '#test/support/run-requests.js'
import { worldOf } from '#test/support/world.js'

/** The entities of a case as blocks of an index file. */
const indexOf = (entities: unknown): string =>
  (Array.isArray(entities) ? entities.filter(isFields) : [])
    .map(one => {
      const rows = {
        typ: textAt(one, 'type') ?? 'Przedmiot',
        generyczne_nazwy: textsAt(one, 'genericNames').join(', '),
        należy_do: textAt(one, 'owner') ?? '',
        status: textAt(one, 'status') ?? '',
        ilość: textAt(one, 'quantity') ?? '',
      }
      const lines = Object.entries(rows).flatMap(([tag, value]) =>
        value === '' ? [] : [`- @${tag}: ${value}`],
      )
      return [`### ${textAt(one, 'name') ?? ''}`, ...lines, ''].join('\n')
    })
    .join('\n')

const worldOfEntities = (entities: unknown): Snapshot => worldOf({ 'encje/indeks.md': indexOf(entities) })

/** The repository that fixtures are adopted to: every session of it is closed. */
const adopted = (
  entities: ReadonlyArray<string>,
  sessions: ReadonlyArray<string>,
  more: WorldTexts = {},
): Snapshot => {
  const names = ['Gracze.md', ...entities, ...sessions]
  const texts = Object.fromEntries(names.map(name => [name, fixtureText(name)]))
  return worldOf(adoptTexts({ ...texts, ...more }))
}

const purseFields = (snapshot: Snapshot, purse: Purse): Fields => {
  const { item, denomination } = purse
  const { day } = snapshot
  return {
    entityName: item.name,
    denomination: denomination.name,
    denomShort: denomination.short,
    balance: heldOn(purse, day),
    baseUnitValue: inKogi(heldOn(purse, day), denomination),
    owner: ownerOn(item, day),
    status: statusOn(item, day),
    warnings: reconcileMoney(snapshot).filter(finding => finding.subject === item.name),
  }
}

/** The purses that pass the filter of a case: by owner, denomination and name, without deleted ones. */
const pursesWith = (snapshot: Snapshot, filter: Fields): ReadonlyArray<Purse> => {
  const { entities, day } = snapshot
  const textIn = (field: string): string | null => textAt(filter, field)
  const [owner, denomination, name] = [textIn('owner'), textIn('denomination'), textIn('name')]
  const block = owner === null ? undefined : entities.byHeading.get(nameKey(owner))?.[0]
  const all = owner === null ? pursesOf(entities) : pursesHeldBy(entities, block ?? nameKey(owner), day)
  return all.filter(
    purse =>
      (filter['includeInactive'] === true || countsOn(purse, day)) &&
      (denomination === null || purse.denomination === denominationOf(denomination)) &&
      (name === null || purse.item.name === name),
  )
}

const listed = (snapshot: Snapshot, filter: Fields): unknown => {
  const rows = pursesWith(snapshot, filter).map(purse => purseFields(snapshot, purse))
  return { '[0]': rows[0], entityNames: rows.map(row => row['entityName']) }
}

/** A whole number of a case as a client sends it; null where there is none. */
const wholeAt = (fields: Fields, field: string): string | null => {
  const value = fields[field]
  return typeof value === 'number' ? String(value) : null
}

const patch = (name: string, fields: Fields, tag: string, value: string): AskedRequest => ({
  method: 'PATCH',
  path: `/entities/${name}${fields['whatIf'] === true ? '?dryRun=true' : ''}`,
  body: {
    tag,
    value,
    ...(textAt(fields, 'validFrom') === null ? {} : { from: textAt(fields, 'validFrom') }),
  },
})

/** The requests by which a client changes a purse as a case does. */
const changes: Readonly<Record<string, (fields: Fields) => ReadonlyArray<AskedRequest>>> = {
  setCurrency: fields => {
    const name = textAt(fields, 'name') ?? ''
    const values = {
      '@ilość': 'amountDelta' in fields ? `+${wholeAt(fields, 'amountDelta')}` : wholeAt(fields, 'amount'),
      '@należy_do': textAt(fields, 'owner'),
      '@lokacja': textAt(fields, 'location'),
    }
    return Object.entries(values).flatMap(([tag, value]) =>
      value === null ? [] : [patch(name, fields, tag, value)],
    )
  },
  newCurrency: fields => {
    const [short, owner] = [textAt(fields, 'denomination') ?? '', textAt(fields, 'owner') ?? '']
    const tags = {
      '@generyczne_nazwy': denominationOf(short)?.name ?? short,
      '@ilość': wholeAt(fields, 'amount') ?? '0',
      '@należy_do': owner,
    }
    return [
      {
        method: 'POST',
        path: `/entities${fields['whatIf'] === true ? '?dryRun=true' : ''}`,
        body: { name: `${short} ${owner}`, type: 'Przedmiot', tags },
      },
    ]
  },
  removeCurrency: fields => [
    {
      method: 'DELETE',
      path: `/entities/${textAt(fields, 'name') ?? ''}${fields['whatIf'] === true ? '?dryRun=true' : ''}`,
    },
  ],
  createItem: fields => [
    {
      method: 'POST',
      path: '/entities',
      body: { name: textAt(fields, 'name'), type: 'Przedmiot', tags: fieldsAt(fields, 'tags') ?? {} },
    },
  ],
}

const changed = async (input: Fields, kind: string): Promise<unknown> => {
  const fixture = textAt(input, 'fixture')
  const texts = adoptTexts({ 'entities.md': fixtureText(fixture ?? 'entities-currency-crud.md') })
  const outcome = await runRequests(texts, changes[kind]?.(fieldsAt(input, kind) ?? {}) ?? [])
  if ('throws' in outcome) return outcome
  const file = outcome.texts['encje/indeks.md']
  return { file, fileUnchanged: file === texts['encje/indeks.md'], ...outcome.answers.at(-1) }
}

const runCurrency = (input: Fields): unknown => {
  const kind = Object.keys(changes).find(one => one in input)
  if (kind !== undefined) return changed(input, kind)
  const base = fieldsAt(input, 'toBase')
  if (base !== null) {
    const denomination = denominationOf(textAt(base, 'denomination') ?? '')
    return denomination === null
      ? { throws: 'no denomination' }
      : { kogi: inKogi(Number(base['amount']), denomination) }
  }
  if ('fromBase' in input) {
    const [korony, talary, kogi] = countOut(Number(input['fromBase'])).map(one => one.amount)
    return { korony, talary, kogi }
  }
  const [find, money] = [fieldsAt(input, 'find'), fieldsAt(input, 'isCurrency')]
  if (find !== null) return pursesWith(worldOfEntities(find['entities']), find)[0] ?? null
  if (money !== null)
    return { isCurrency: pursesOf(worldOfEntities([{ name: 'A', ...money }]).entities).length > 0 }
  const report = fieldsAt(input, 'report')
  if (report !== null) {
    const snapshot = adopted(textsAt(input, 'entities'), textsAt(input, 'sessions'))
    const rows = pursesWith(snapshot, report).map(purse => purseFields(snapshot, purse))
    return { rows, 'rows[0]': rows[0] }
  }
  if ('entities' in input) return listed(worldOfEntities(input['entities']), fieldsAt(input, 'filter') ?? {})
  const denomination = denominationOf(textAt(input, 'denomination') ?? '')
  return denomination === null ? null : { ...denomination, multiplier: denomination.kogi }
}

const adr = 1056

const short = 'a denomination is a form of its noun; a stem alone begins other words too (FORMATS 7)'
const create = 'money is created as any other block, whose rows are undated'
const dated = 'a deletion begins with the month of the host (ADR 1026)'

acceptance('currency', {
  run: runCurrency,
  deviations: {
    'currency-027': {
      ...{ adr, why: 'a block is a heading with rows (FORMATS 10)' },
      instead: { file: { $match: ['### Talary Hirońskie', '@ilość:\\s*200', '@lokacja:\\s*Erathia'] } },
    },
    'currency-037': {
      ...{ adr, why: 'a denomination has a worth and no tier' },
      instead: {
        '[0]': { denomination: 'Korony Elanckie', denomShort: 'Korony', balance: 50, owner: 'Erdamon' },
      },
    },
    'currency-039': { adr, why: short, instead: { entityNames: [] } },
    'currency-042': {
      ...{ adr, why: 'a file states what is there; a delta is a Transfer or Zmiany' },
      instead: { $throws: 'ValueRefused: *@ilość*' },
    },
    'currency-047': {
      ...{ adr, why: 'a request changes one tag, so none can name both' },
      instead: { fileUnchanged: false, tag: '@lokacja' },
    },
    'currency-050': {
      ...{ adr, why: 'the case leaves the month open; the world stands in June' },
      instead: { file: { $match: ['@ilość:\\s*30 \\(2026-06:\\)'] } },
    },
    'currency-051': {
      ...{ adr, why: create },
      instead: {
        created: 'Korony Kupiec Orrin',
        file: {
          $match: [
            '### Korony Kupiec Orrin',
            '@generyczne_nazwy:\\s*Korony Elanckie',
            '@ilość:\\s*100\\n',
            '@należy_do:\\s*Kupiec Orrin\\n',
          ],
        },
      },
    },
    'currency-053': {
      ...{ adr, why: 'an item with a generic name that is no denomination is an item' },
      instead: { created: 'Złotówki Test' },
    },
    'currency-054': {
      adr,
      why: 'the refusal has another word',
      instead: { $throws: 'NameTaken: *already has*' },
    },
    'currency-055': {
      ...{ adr, why: create },
      instead: { created: 'Kogi Nowa Postać', file: { $match: ['@ilość:\\s*0\\n'] } },
    },
    'currency-058': {
      ...{ adr, why: dated },
      instead: { file: { $match: ['@status:\\s*Usunięty\\s*\\(2026-06:\\)'] } },
    },
    'currency-059': {
      ...{ adr, why: 'a block is a heading with rows (FORMATS 10)' },
      instead: { file: { $match: ['### Kogi Skrzynka Targowa', '@generyczne_nazwy:\\s*Kogi Skeltvorskie'] } },
    },
    'currency-071': {
      ...{ adr, why: 'a purse shows its owner or its place, whichever of the two it has' },
      instead: { 'rows[0]': { $hasField: ['entityName', 'denomination', 'balance', 'owner', 'warnings'] } },
    },
  },
})

const ledgerRows = (input: Fields): unknown => {
  const entity = textAt(fieldsAt(input, 'options') ?? {}, 'entity')
  const fixtures = entity === null ? {} : { 'entities.md': fixtureText('entities-multi-transfer.md') }
  const snapshot = adopted([], textsAt(input, 'sessions'), fixtures)
  const filter = entity === null ? {} : { entity }
  const { items } = atOnce(moneyLedger(snapshot, null, filter, { named: false, limit: null, offset: 0 }))
  const rows = items.map(one => ({ ...one, runningBalance: one.balance }))
  return { rows, 'rows[0]': rows[0] }
}

acceptance('ledger', {
  run: ledgerRows,
  deviations: {
    'ledger-008': {
      ...{ adr, why: 'a balance begins with what the purses held, by denomination (FORMATS 7)' },
      instead: { rows: { $each: { $hasField: 'runningBalance' } }, 'rows[-1]': { runningBalance: 115 } },
    },
    'ledger-013': {
      ...{ adr, why: 'the narrators are resolved (FORMATS 8)' },
      instead: { 'rows[0]': { narrator: 'Solmyr' } },
    },
  },
})

/** The world of a case of reconciliation: fixtures, entities of the case, or one purse. */
const reconciled = (input: Fields): Snapshot => {
  const fixtures = textsAt(input, 'entities')
  if (fixtures.length > 0) return adopted(fixtures, textsAt(input, 'sessions'))
  if ('entities' in input) return worldOfEntities(input['entities'])
  const name = 'Korony A'
  const quantity = textAt(input, 'quantity') ?? '0'
  const changed = Object.entries(fieldsAt(input, 'zmiany') ?? {})
  const lines = changed.map(([entity, row]) => `    - ${entity}\n        - ${String(row)}\n`)
  return worldOf({
    'encje/indeks.md': indexOf([{ name, genericNames: ['Korony Elanckie'], quantity }]),
    ...(lines.length === 0 ? {} : { 'Sesje.md': `### 2026-06-01, Łup, N\n\n- @Zmiany:\n${lines.join('')}` }),
  })
}

const polish = 'findings are Polish (ADR 1031)'

acceptance('reconciliation', {
  run: (input, id) => {
    const snapshot = reconciled(input)
    const found = reconcileMoney(snapshot).map(({ kind, severity, subject, reason }) => ({
      ...{ check: kind, severity, entity: subject, detail: reason },
    }))
    const warnings = found.filter(({ check }) => check !== 'Supply')
    if (id === 'reconciliation-015' || id === 'reconciliation-017') return warnings[0]
    return {
      warnings,
      supply: found.filter(({ check }) => check === 'Supply'),
      entityCount: pursesOf(snapshot.entities).length,
    }
  },
  deviations: {
    'reconciliation-015': {
      ...{ adr, why: polish },
      instead: { check: 'NegativeBalance', severity: 'Error', detail: 'Stan sakiewki to -1.' },
    },
    'reconciliation-017': {
      ...{ adr, why: polish },
      instead: {
        check: 'AsymmetricTransaction',
        severity: 'Warning',
        detail: { $like: '*„Korony Elanckie” razem +25, a nie 0.' },
      },
    },
  },
})
