import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { outputFolderOf, sourceOf } from './transpiled.js'

describe('a transpiled file', () => {
  it('has its source at the same path', () => {
    equal(sourceOf(`/kronika/${outputFolderOf(12)}/test/a.test.js`), '/kronika/test/a.test.ts')
    equal(sourceOf('/kronika/test/a.test.ts'), '/kronika/test/a.test.ts')
  })
})
