import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { caseFiles } from '#test/support/acceptance.js'

describe('the acceptance cases', () => {
  it('have a test for every file beside this repository', function () {
    const files = caseFiles()
    if (files === null) return this.skip()
    const here = import.meta.dirname
    const tests = readdirSync(here).map(name => readFileSync(join(here, name), 'utf8'))
    const tested = tests.flatMap(text =>
      [...text.matchAll(/^acceptance\('([a-z-]+)'/gmu)].map(([, file]) => file),
    )
    assert.deepEqual(tested.toSorted(), files.toSorted())
  })
})
