import { deepEqual, equal, throws } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { fileRows, parseNamedRows, treeRowsMax } from './named-folder.js'

const id = '1'.repeat(40)
const lines = [`100644 blob ${id}\ta b.json`, `040000 tree ${id}\tc`, `160000 commit ${id}\td\n`]
const printed = lines.map(line => `${line}\0`).join('')

describe('what git lists of a commit', () => {
  it('is read with mode, type, id and path; a path may have any character but NUL', () => {
    deepEqual(parseNamedRows(printed), [
      { mode: '100644', type: 'blob', id, path: 'a b.json' },
      { mode: '040000', type: 'tree', id, path: 'c' },
      { mode: '160000', type: 'commit', id, path: 'd\n' },
    ])
    deepEqual(parseNamedRows(''), [])
  })

  it('is refused where it has more files and folders than a tree may have', () => {
    const row = `100644 blob ${id}\ta\0`
    equal(parseNamedRows(row.repeat(treeRowsMax)).length, treeRowsMax)
    throws(() => parseNamedRows(row.repeat(treeRowsMax + 1)), /more than 500000 files and folders/)
  })

  it('has the files and links as its file rows, no folders and no submodules', () => {
    deepEqual(
      fileRows(printed).map(({ path }) => path),
      ['a b.json'],
    )
  })
})
