import { equal, match, notEqual } from 'node:assert/strict'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { temporaryFolder, writeFiles } from '#test/support/repository.js'
import { buildId, contentId } from './package-files.js'

describe('the id of a build', () => {
  let folder: ReturnType<typeof temporaryFolder>
  const idOf = (files: Readonly<Record<string, string>>): string => {
    writeFiles(folder.path, files)
    return contentId(pathToFileURL(`${folder.path}/dist/`))
  }
  beforeEach(() => {
    folder = temporaryFolder()
  })
  afterEach(() => folder.dispose())

  it('is that of the names and bytes of the program and of its dependencies', () => {
    const first = idOf({
      'dist/src/a.js': 'one',
      'dist/protocol/b.js': 'two',
      'package.json': '{"version": "0.1.0"}',
      'package-lock.json': '{}',
    })
    equal(idOf({ 'dist/src/a.js': 'one' }), first)
    const ids = [first]
    for (const change of [
      { 'dist/src/a.js': 'changed' },
      { 'dist/src/c.js': '' },
      { 'package-lock.json': '{"lockfileVersion": 3}' },
    ])
      ids.push(idOf(change))
    equal(new Set(ids).size, 4)
  })

  it('is the same whatever the tests and the maps of sources say', () => {
    const first = idOf({ 'dist/src/a.ts': 'one' })
    equal(idOf({ 'dist/src/a.test.ts': 'test', 'dist/src/a.js.map': '{}' }), first)
  })

  it('names this program and the Node that runs it', () => {
    match(buildId(), /^[0-9a-f]{32} v\d+/)
    equal(buildId(), buildId())
    notEqual(buildId(), process.version)
  })
})
