import { deepEqual, equal, ok } from 'node:assert/strict'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { batchesPath } from '#src/domain/points/batches.js'
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

  it('is refused whole where a figure was changed since', () => {
    const planned = planReversal(lore('30.00', may), reversal(...pu(may)))
    ok(isLeft(planned))
    deepEqual(
      planned.left.Blocked.map(({ Kind, Subject }) => [Kind, Subject]),
      [['FiguresChanged', 'Wit']],
    )
  })
})
