import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { nameKey } from '#protocol/atoms.js'
import { notifications } from '#src/domain/audit/notifications.js'
import { relationsOn } from '#src/domain/entities/projection.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { parseCloseLedger } from '#test/support/at-once.js'
import { closeSessions, indexWithPurses, payment, purseOf } from '#test/support/closed-world.js'
import { listedLedger } from '#test/support/listed-ledger.js'
import { day, sourceFile, worldOf } from '#test/support/world.js'
import { sessionFindings } from '../integrity.js'

const index = indexWithPurses(
  '### Skarbiec\n- @typ: Grupa\n',
  '### Skład\n- @typ: Grupa\n',
  '### Anna\n- @typ: NPC\n- @grupa: Skład\n',
  '### Miecz\n- @typ: Przedmiot\n- @należy_do: Anna\n',
)

const session = payment('Anna', {
  before: '- @Zmiany:\n    - Miecz\n        - @należy_do: Skarbiec\n',
  after: '- @Intel:\n    - Skarbiec: Wieść.\n    - Grupa/Skład: Druga.\n',
})

const texts = {
  'encje/indeks.md': index,
  'kontrybutorzy.md': '## Gracz\n\n### Solmyr\n- @gameid: 1\n',
  'Sesje.md': session,
}

const homonym = (type: string): Readonly<Record<string, string>> => ({
  'encje/a.md': `### Skarbiec\n- @typ: ${type}\n${type === 'Postać' ? '- @należy_do: Solmyr\n' : ''}`,
})

const today = day('2026-06-15')

const findEntity = ({ entities }: Snapshot, name: string, type: string) =>
  entities.byHeading.get(nameKey(name))?.find(one => one.type === type)

const ownerOfSword = (snapshot: Snapshot) => {
  const item = findEntity(snapshot, 'Miecz', 'Przedmiot')
  return item === undefined ? null : relationsOn(snapshot.entities, item, today).owner
}

const recipients = (snapshot: Snapshot) =>
  atOnce(notifications(snapshot, {}, { offset: 0, limit: null, named: false })).items.map(
    one => one.recipients,
  )

describe('what the effects of a closed session mean', () => {
  const closed = closeSessions(texts, true)

  it('is what they meant at close, whatever homonym comes later', () => {
    for (const more of [{}, homonym('Postać'), homonym('NPC'), homonym('Lokacja')]) {
      const snapshot = worldOf({ ...closed, ...more })
      equal(purseOf(snapshot, 'Korony Anny'), 40)
      equal(purseOf(snapshot, 'Korony Skarbca'), 60)
      deepEqual(ownerOfSword(snapshot), { name: 'Skarbiec', type: 'Grupa' })
      deepEqual(recipients(snapshot), [['Skarbiec'], ['Skład', 'Anna']])
      deepEqual(
        sessionFindings(snapshot).filter(one => one.file === 'Sesje.md'),
        [],
      )
    }
  })

  it('is looked up by name where it was not recorded', () => {
    const snapshot = worldOf({ ...closeSessions(texts, false), ...homonym('Postać') })
    equal(purseOf(snapshot, 'Korony Anny'), 100)
    deepEqual(
      sessionFindings(snapshot)
        .map(one => one.kind)
        .filter(kind => kind.startsWith('Closed')),
      ['ClosedMeaningMissing'],
    )
  })

  it('follows a block that was renamed, or that changed its type', () => {
    const renamed = index
      .replace('### Skarbiec\n- @typ: Grupa', '### Kasa\n- @typ: Grupa\n- @alias: Skarbiec')
      .replaceAll('@należy_do: Skarbiec', '@należy_do: Kasa')
    const retyped = index.replace(
      '### Skarbiec\n- @typ: Grupa',
      '### Skarbiec\n- @typ: Grupa (:2025-12)\n- @typ: NPC (2026-01:)',
    )
    for (const text of [renamed, retyped]) {
      const snapshot = worldOf({ ...closed, ...homonym('Postać'), 'encje/indeks.md': text })
      equal(purseOf(snapshot, 'Korony Anny'), 40)
      equal(ownerOfSword(snapshot)?.type, text === renamed ? 'Grupa' : 'NPC')
    }
  })

  it('has no effect, and says so, where the block is gone', () => {
    const gone = index.replace('### Miecz\n- @typ: Przedmiot\n- @należy_do: Anna\n', '')
    const snapshot = worldOf({
      ...closed,
      'encje/indeks.md': gone,
      'encje/a.md': '### Miecz\n- @typ: NPC\n',
    })
    deepEqual(
      sessionFindings(snapshot).flatMap(one => (one.kind === 'UnresolvedChange' ? [one.reason] : [])),
      [
        'Nazwa „Miecz” oznaczała w chwili zapisu blok Przedmiot „Miecz”, którego już nie ma. Nic nie zmieniono.',
      ],
    )
    equal(findEntity(snapshot, 'Miecz', 'NPC')?.rows.length, 1)
  })

  it('sends Intel to those recorded, not to who joins the group with a past date', () => {
    const joined = `${index}\n### Zenon\n- @typ: NPC\n- @grupa: Skład (2024-01:)\n`
    const later = { 'encje/indeks.md': joined }
    deepEqual(recipients(worldOf({ ...closed, ...later }))[1], ['Skład', 'Anna'])
    deepEqual(recipients(worldOf({ ...closeSessions(texts, false), ...later }))[1], [
      'Skład',
      'Anna',
      'Zenon',
    ])
  })

  it('counts effects that a commit changed, and finds that they changed', () => {
    const changedKinds = (text: string): ReadonlyArray<string> =>
      sessionFindings(worldOf({ ...closed, 'Sesje.md': text })).flatMap(one =>
        one.kind === 'ClosedSessionChanged' ? [`${one.file}:${one.line}`] : [],
      )
    equal(purseOf(worldOf({ ...closed, 'Sesje.md': session.replace('60', '70') }), 'Korony Anny'), 30)
    deepEqual(changedKinds(session), [])
    deepEqual(changedKinds(`Wstęp.\n\n${session}\n- @Logi:\n    - https://logi.example/1\n`), [])
    deepEqual(changedKinds(session.replace('60', '70')), ['Sesje.md:1'])
    deepEqual(changedKinds(session.replace('Wieść', 'Inna wieść')), ['Sesje.md:1'])
    deepEqual(changedKinds(''), ['.svc/close/ledger.jsonl:null'])
  })

  it('does not advise to revert a commit that makes the PU of a closed session readable', () => {
    const unread = `${session.trimEnd()}\n- @PU:\n    - Anna: dużo\n`
    const found = sessionFindings(
      worldOf({
        ...closeSessions({ ...texts, 'Sesje.md': unread }, true),
        'Sesje.md': unread.replace('dużo', '0,5'),
      }),
    ).filter(one => one.kind === 'ClosedSessionChanged')
    deepEqual(
      found.map(one => one.suggestion),
      [
        'Jeśli poprawiono tylko PU, przez które nie można było rozliczyć miesiąca, zostaw zmianę. ' +
          'Każdą inną cofnij, a poprawkę zapisz w nowej sesji.',
      ],
    )
  })

  it('does not open a session whose recorded meaning is damaged', () => {
    const damaged = JSON.stringify({
      header: '2025-03-01, Zapłata, Solmyr',
      op: 'close',
      at: '2026-01-01T00:00:00Z',
      by: 'test',
      source: 'close',
      meaning: { effects: 7 },
    })
    equal(purseOf(worldOf({ ...closed, '.svc/close/ledger.jsonl': damaged }), 'Korony Anny'), 40)
  })
})

describe('a close ledger that has grown', () => {
  const row = (header: string, more: object = {}): string =>
    JSON.stringify({ header, op: 'close', at: '2026-01-01T00:00:00Z', by: 'test', source: 'close', ...more })
  const meaning = { effects: '0'.repeat(64), blocks: [], owners: [], purses: [], recipients: [] }
  const first = [row('2025-03-01, A, Solmyr'), 'no row', ''].join('\n')
  const lines = [
    row('2025-03-02, B, Solmyr', { meaning }),
    row('2025-03-01, A, Solmyr', { meaning }),
    'no row either',
    row('2025-03-02, B, Solmyr', { op: 'distribute' }),
    '',
  ].join('\n')

  it('is read as one that is read as a whole', () => {
    const paid = [
      row('2025-03-03, C, Solmyr', { op: 'transfer', meaning }),
      row('2025-03-04, D, Solmyr', { op: 'finalize' }),
      '',
    ].join('\n')
    const closed = `${row('2025-03-03, C, Solmyr', { meaning })}\n`
    const distributed = `${row('2025-03-05, E, Solmyr', { op: 'distribute' })}\n`
    const long = [lines + paid, lines + paid + closed, lines + paid + closed + distributed]
    const texts = [
      '',
      first,
      first + lines,
      first + lines + lines,
      lines,
      ...long,
      first.trimEnd(),
      first + lines,
    ]
    let before = parseCloseLedger(null)
    for (const text of texts) {
      const file = sourceFile('.svc/close/ledger.jsonl', text)
      const ledger = parseCloseLedger(file, before)
      deepEqual(listedLedger(ledger), listedLedger(parseCloseLedger(file)))
      before = ledger
    }
    equal(before.findings.length, 3)
    equal(before.meanings.size, 2)
  })

  it('keeps the entries of the lines that it had', () => {
    const before = parseCloseLedger(sourceFile('.svc/close/ledger.jsonl', first))
    const after = parseCloseLedger(sourceFile('.svc/close/ledger.jsonl', first + lines), before)
    equal(after.entries[0], before.entries[0])
  })
})
