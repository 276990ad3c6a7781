import { deepEqual, throws } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { temporaryFolder } from '#test/support/repository.js'
import { addParts, emptyPart, type Part, readParts, writePart } from './part.js'

const one: Part = {
  ...emptyPart,
  files: ['/a.test.ts', '/b.test.ts'],
  unrun: 1,
  answers: 3,
  answered: ['thing'],
  refusedBy: ['thing EntityNotFound'],
  secrets: { secrets: 2, outputs: 5, chars: 70 },
}
const other: Part = {
  ...emptyPart,
  files: ['/b.test.ts'],
  answers: 4,
  offences: ['GET /things/{name} (thing) 200 at /: refused'],
  answered: ['thing', 'things'],
  secrets: { secrets: 1, outputs: 1, chars: 30 },
  leaks: ['a token in a log'],
}

describe('the parts of a test run', () => {
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    folder = temporaryFolder()
  })
  afterEach(() => folder.dispose())

  it('sum their counts and unite their lists', () => {
    deepEqual(addParts(one, other), {
      files: ['/a.test.ts', '/b.test.ts'],
      unrun: 1,
      answers: 7,
      offences: other.offences,
      answered: ['thing', 'things'],
      refused: [],
      refusedBy: ['thing EntityNotFound'],
      secrets: { secrets: 3, outputs: 6, chars: 100 },
      leaks: ['a token in a log'],
    })
  })

  it('are read back from the files of all processes, the last state of each', () => {
    writePart(folder.path, emptyPart)
    writePart(folder.path, one)
    writeFileSync(join(folder.path, '1.json'), JSON.stringify(other))
    deepEqual(
      { ...readParts(folder.path), files: [...readParts(folder.path).files].sort() },
      addParts(one, other),
    )
  })

  it('fail the run where a file holds something else', () => {
    writeFileSync(join(folder.path, '1.json'), '{"files": []}')
    throws(() => readParts(folder.path), /1\.json/)
  })
})
