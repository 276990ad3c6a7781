import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { closeLedgerPath } from '#src/domain/sessions/effects/closed-sessions.js'
import { movesPath } from '#src/domain/sessions/effects/moves.js'
import { batchesPath } from './batches.js'
import { closedEnactments, nameOfLine } from './enacted-rows.js'

const batch = (id: string, at = '2026-07-01T10:00:00.000Z'): string =>
  JSON.stringify({ id, at, source: 'batch', sessions: [], awards: [] })
const [may, june] = [batch('2026-05'), batch('2026-06')]
const legacy = may.replace('"batch"', '"legacy"')
const move = '{"id":"m-1","at":"2026-07-01T10:00:00.000Z"}'
const row = (op: string, source = 'close'): string =>
  JSON.stringify({
    header: '2026-05-10, Most, Solmyr',
    op,
    at: '2026-07-01T10:00:00.000Z',
    by: 'Solmyr',
    source,
  })

const at = (...lines: ReadonlyArray<string>) => new Map([[batchesPath, lines]])
const pu = (...lines: ReadonlyArray<string>) => lines.map(line => ({ path: batchesPath, line }))

describe('the enactments of a closed request', () => {
  it('are the lines that the request had and the followed branch has not', () => {
    deepEqual(closedEnactments(at(may), at(may), at()), { standing: pu(may), gone: [] })
    deepEqual(closedEnactments(at(may), at(may), at(may)), { standing: [], gone: [] })
    deepEqual(closedEnactments(at(may), at(), at()), { standing: [], gone: pu(may) })
  })

  it('are not what was enacted again at another instant, nor what adoption or a close wrote', () => {
    const again = may.replace('T10', 'T11')
    deepEqual(closedEnactments(at(may), at(again), at()), { standing: [], gone: pu(may) })
    deepEqual(closedEnactments(at(legacy), at(legacy), at()), { standing: [], gone: [] })
    const closed = new Map([
      [closeLedgerPath, [row('close'), row('distribute'), row('distribute', 'adoption')]],
    ])
    const { standing } = closedEnactments(closed, closed, new Map())
    deepEqual(standing, [{ path: closeLedgerPath, line: row('distribute') }])
    deepEqual(standing.map(nameOfLine), ['2026-05-10, Most, Solmyr'])
  })

  it('take with them a later batch, whose figures follow from theirs, and no other move of money', () => {
    deepEqual(closedEnactments(at(may), at(may, june), at()).standing, pu(may, june))
    deepEqual(closedEnactments(at(june), at(may, june), at()).standing, pu(june))
    const moves = (...lines: ReadonlyArray<string>) => new Map([[movesPath, lines]])
    const other = move.replace('m-1', 'm-2')
    deepEqual(closedEnactments(moves(move), moves(move, other), moves()).standing.map(nameOfLine), ['m-1'])
  })
})
