import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { HostLook } from '../fleet/host-looks.js'
import { drawFleet } from './draw-fleet.js'

const apex: HostLook = { state: 'up', role: 'primary', mode: 'ReadWrite', dark: [], job: null }
const replica: HostLook = { ...apex, role: 'replica', mode: 'ReadOnly' }
const down: HostLook = { state: 'down', role: null, mode: null, dark: [], job: null }

const look = (atMs: number, host: string, is: HostLook): string => `${atMs} ${host} is ${JSON.stringify(is)}`

/** The rows below the legend and the heads, each by its columns. */
const rowsOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  drawFleet(lines)
    .split('\n')
    .slice(5)
    .map(row => row.replaceAll(/ {2,}/gu, '  ').trim())

describe('the picture of a fleet', () => {
  it('has a row for each minute in which a host changed or something happened', () => {
    const rows = rowsOf([
      look(0, 'Avlee', apex),
      look(0, 'Deyja', replica),
      '1000 Avlee.1 remote fetch',
      '120000 crash begins for 60 s',
      '120000 it hits Avlee',
      look(125_000, 'Avlee', down),
      look(250_000, 'Deyja', { ...replica, dark: ['Avlee'], job: 'Deyja' }),
      look(310_000, 'Deyja', { ...replica, state: 'stopped' }),
      '370000 forge merges !1 by Deyja',
    ])
    deepEqual(rows, [
      '0  P rw  r ro',
      '2  down  |  crash begins for 60 s',
      '|  it hits Avlee',
      '4  r ro !Avl >Dey',
      '5  :r ro',
      '6  :  forge merges !1 by Deyja',
    ])
  })
})
