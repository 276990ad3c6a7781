import { deepEqual, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { connectionLimits } from './connections.js'

describe('connections of the listeners', () => {
  it('leave half of the files, 256 at most, to the process itself', () => {
    deepEqual(connectionLimits(256), { ops: 16, api: 112 })
    deepEqual(connectionLimits(1024), { ops: 32, api: 736 })
    deepEqual(connectionLimits(1_048_576), { ops: 32, api: 1_048_288 })
  })

  it('are at least one for each listener, and never more than half of few files', () => {
    for (let files = 4; files <= 512; files += 1) {
      const { api, ops } = connectionLimits(files)
      ok(api >= 1 && ops >= 1 && api + ops <= files / 2 + 1, String(files))
    }
  })
})
