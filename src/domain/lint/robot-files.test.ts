import { deepEqual, equal, match } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { foreignChanges } from './robot-files.js'

describe('changes of files of the robot', () => {
  const change = (
    route: string,
    files: ReadonlyArray<string> = ['.svc/pu/batches.jsonl'],
    verified = true,
  ) => ({
    commit: 'abc',
    author: 'Solmyr',
    route,
    files,
    verified,
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

  it('are foreign where a commit only says that it is a settlement', () => {
    const files = ['.svc/pu/batches.jsonl']
    const [finding] = foreignChanges([change('POST /workflows/award-pu', files, false)])
    match(finding?.reason ?? '', /podaje się za rozliczenie, czego nie potwierdza żaden klucz floty/)
    equal(found('POST /workflows/award-pu', files), 0)
  })
})
