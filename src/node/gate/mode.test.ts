import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { modeCell, tellMode } from '../fleet/role.js'

describe('the mode of a host in its log', () => {
  const told = () => {
    const lines: Array<readonly [string, string, object | undefined]> = []
    const log = {
      info: (event: string, fields?: object) => void lines.push(['info', event, fields]),
      warn: (event: string, fields?: object) => void lines.push(['warn', event, fields]),
    }
    return { lines, mode: modeCell('ReadWrite', null, tellMode(log)) }
  }

  it('is told when it changes, and then alone', () => {
    const { lines, mode } = told()
    mode.set({ mode: 'ReadWrite', detail: null })
    mode.set({ mode: 'ReadOnly', detail: 'The disk refuses writes (ENOSPC).' })
    mode.set({ mode: 'ReadOnly', detail: 'The disk refuses writes (EIO).' })
    mode.set({ mode: 'ReadWrite', detail: null })
    mode.set({ mode: 'ReadWrite', detail: null })
    deepEqual(lines, [
      ['warn', 'writes_refused', { reason: 'The disk refuses writes (ENOSPC).' }],
      ['info', 'writes_open', undefined],
    ])
  })

  it('names what opens the gate that a person closed', () => {
    const { lines, mode } = told()
    mode.set({ mode: 'ReadOnly', detail: null })
    deepEqual(lines, [
      [
        'warn',
        'writes_refused',
        { reason: 'the mode is ReadOnly', mend: 'POST /admin/mode with "read-write"' },
      ],
    ])
  })
})
