import { deepEqual, equal, ok } from 'node:assert/strict'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { requirePath } from '#protocol/atoms.js'
import { registryMark } from '#src/domain/adoption/registry.js'
import { batchesPath } from '#src/domain/points/batches.js'
import { closeLedgerPath } from '#src/domain/sessions/effects/closed-sessions.js'
import { movesPath } from '#src/domain/sessions/effects/moves.js'
import { worldOf } from '#test/support/world.js'
import { planReversal } from './reversal.js'

const batch = (id: string, before: number, after: number, at = '2026-07-01T10:00:00.000Z'): string =>
  JSON.stringify({
    id,
    month: id.slice(0, 7),
    at,
    source: 'batch',
    sessions: [`${id}-10, Most, Solmyr`],
    awards: [
      {
        character: 'Wit',
        granted: after - before,
        sumaBefore: before,
        sumaAfter: after,
        nadmiarBefore: 0,
        nadmiarAfter: 1,
      },
    ],
  })
const [may, june] = [batch('2026-05', 20, 21.5), batch('2026-06', 21.5, 23)]
const legacy = may.replace('"batch"', '"legacy"')
const move = '{"id":"m-1","at":"2026-07-01T10:00:00.000Z"}'
const pu = (...lines: ReadonlyArray<string>) => lines.map(line => ({ path: batchesPath, line }))

describe('taking back enactments', () => {
  const lore = (suma: string, ...lines: ReadonlyArray<string>) =>
    worldOf({
      'encje/indeks.md': `### Wit\n- @typ: Postać\n- @pu_suma: ${suma}\n- @pu_zdobyte: 3.00\n- @pu_nadmiar: 1.00\n`,
      [batchesPath]: lines.map(line => `${line}\n`).join(''),
      [movesPath]: `${move}\n`,
    })
  const reversal = (...lines: ReturnType<typeof pu>) => ({ _tag: 'Reversal' as const, iid: 5, lines })

  it('restores the figures through several batches and drops their lines', () => {
    const newer = june.replace('"nadmiarBefore":0', '"nadmiarBefore":1')
    const planned = planReversal(lore('23.00', may, newer), reversal(...pu(may, newer)))
    ok(isRight(planned))
    const { edits, subject, claims } = planned.right
    deepEqual(
      edits.map(edit => [
        edit.path,
        edit._tag === 'Whole' ? edit.after : edit.splices.map(({ lines }) => lines),
      ]),
      [
        ['encje/indeks.md', [['- @pu_suma: 20.00'], ['- @pu_zdobyte: 0.00'], ['- @pu_nadmiar: 0.00']]],
        [batchesPath, null],
      ],
    )
    equal(subject, 'sync: take back 2026-05, 2026-06; request 5 was closed')
    ok(claims.includes(`slot:${batchesPath}`))
  })

  it('keeps the other lines of a ledger, and changes nothing the second time', () => {
    const planned = planReversal(
      lore('21.50', legacy.replace('2026-05', '2026-04'), may),
      reversal(...pu(may)),
    )
    ok(isRight(planned))
    deepEqual(planned.right.edits.at(-1), {
      _tag: 'Lines',
      path: batchesPath,
      before: lore('21.50', legacy.replace('2026-05', '2026-04'), may).files.get(batchesPath)?.blob,
      splices: [{ from: 2, to: 2, lines: [] }],
    })
    const again = planReversal(lore('20.00'), reversal(...pu(may)))
    ok(isRight(again))
    deepEqual(again.right.edits, [])
  })

  it('drops a move of money alone', () => {
    const planned = planReversal(lore('21.50', may), reversal({ path: movesPath, line: move }))
    ok(isRight(planned))
    deepEqual(
      planned.right.edits.map(({ path }) => path),
      [movesPath],
    )
  })

  describe('of a distribution', () => {
    const registryOf = (place: string) => requirePath(`Lokacje/${place}/Sesje.md`)
    const [registry, made, byHand] = [registryOf('Most'), registryOf('Brama'), registryOf('Wieża')]
    const header = '2026-05-10, Most, Solmyr'
    const row = (listed: ReadonlyArray<{ readonly file: string; readonly isNew: boolean }>): string =>
      JSON.stringify({
        ...{ header, op: 'distribute', at: '2026-07-01T10:00:00.000Z', by: 'Solmyr', source: 'close' },
        listed,
      })
    const line = `- ${header} (sesje/maj.md)`
    const world = (ledger: string, more: Readonly<Record<string, string>> = {}) =>
      worldOf({
        [closeLedgerPath]: `${ledger}\n`,
        [registry]: `${registryMark}\n- 2026-06-01, Inna, Solmyr (sesje/czerwiec.md)\n${line}\n`,
        [made]: `${registryMark}\n${line}\n`,
        [byHand]: `${line}\n`,
        'notatki.md': `${line}\n`,
        ...more,
      })
    const editsOf = (ledger: string, more: Readonly<Record<string, string>> = {}) => {
      const planned = planReversal(world(ledger, more), reversal({ path: closeLedgerPath, line: ledger }))
      ok(isRight(planned))
      return planned.right.edits.map(edit => [
        edit.path,
        edit._tag === 'Whole' ? edit.after : edit.splices.map(({ from, to, lines }) => [from, to, ...lines]),
      ])
    }

    it('takes its line out of the files that it wrote, and a file that it made and that is empty', () => {
      const files = [registry, made, byHand, 'notatki.md', 'Lokacje/Nic/Sesje.md']
      const ledger = row(files.map(file => ({ file, isNew: file === made })))
      deepEqual(editsOf(ledger), [
        [closeLedgerPath, null],
        [registry, [[3, 3]]],
        [made, null],
      ])
      const kept = { [made]: `${registryMark}\n- 2026-06-01, Inna, Solmyr (sesje/czerwiec.md)\n${line}\n` }
      deepEqual(editsOf(ledger, kept).at(-1), [made, [[3, 3]]])
    })

    it('leaves the files that listed the session before', () => {
      deepEqual(editsOf(row([])), [[closeLedgerPath, null]])
      const older = row([]).replace(',"listed":[]', '')
      deepEqual(editsOf(older), [[closeLedgerPath, null]])
    })

    it('changes nothing where its row is not in the ledger any more', () => {
      const ledger = row([{ file: registry, isNew: false }])
      const planned = planReversal(world(row([])), reversal({ path: closeLedgerPath, line: ledger }))
      ok(isRight(planned))
      deepEqual(planned.right.edits, [])
    })
  })

  it('is refused whole where a figure was changed since', () => {
    const planned = planReversal(lore('30.00', may), reversal(...pu(may)))
    ok(isLeft(planned))
    deepEqual(
      planned.left.Blocked.map(({ Kind, Subject }) => [Kind, Subject]),
      [['FiguresChanged', 'Wit']],
    )
  })
})
