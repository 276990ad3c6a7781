import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { foreignChanges } from './robot-files.js'

describe('changes of files of the robot', () => {
  const change = (route: string, files: ReadonlyArray<string> = ['.svc/pu/batches.jsonl']) => ({
    commit: 'abc',
    author: 'Solmyr',
    route,
    files,
  })
  const found = (route: string, files?: ReadonlyArray<string>) =>
    foreignChanges([change(route, files)]).length

  it('are foreign where no settlement made them', () => {
    deepEqual(
      ['', 'POST /entities', 'POST /importers'].map(route => found(route)),
      [1, 1, 1],
    )
    deepEqual(
      [
        'POST /workflows/award-pu',
        '/import',
        'POST /locations/reindex',
        'POST /session-registry/regenerate',
      ].map(route => found(route)),
      [0, 0, 0, 0],
    )
    deepEqual(found('', []), 0)
  })
})
