import { deepEqual, equal, ok } from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync, utimesSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { temporaryFolder } from '#test/support/repository.js'
import { makeRunFolder, ownerOf, temporaryRoot, useRunFolder } from './run-folder.js'

/** An id that no process has: the largest of Linux is lower. */
const nobody = 4_194_305

describe('the folder of a test run', () => {
  let folder: ReturnType<typeof temporaryFolder>
  const before = process.env['TMPDIR']
  beforeEach(() => {
    folder = temporaryFolder()
    process.env['TMPDIR'] = folder.path
  })
  afterEach(() => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    folder.dispose()
  })

  it('lies where TMPDIR says, and what a run that was ended left there goes', () => {
    const names = [
      `kronika-run-${nobody}-a`,
      `kronika-run-${nobody}-b`,
      `kronika-run-${process.pid}-c`,
      'kronika-d',
    ]
    for (const name of names) mkdirSync(join(folder.path, name))
    for (const name of names.filter(one => !one.endsWith('-b'))) utimesSync(join(folder.path, name), 1, 1)
    const run = makeRunFolder()
    deepEqual(
      names.map(name => existsSync(join(folder.path, name))),
      [false, true, true, true],
    )
    equal(ownerOf(basename(run)), process.pid)
    equal(temporaryRoot(), folder.path)
    rmSync(run, { recursive: true })
  })

  it('holds what tests make', () => {
    const run = makeRunFolder()
    useRunFolder(run)
    const one = temporaryFolder()
    ok(one.path.startsWith(`${run}/tmp/`), one.path)
    rmSync(run, { recursive: true })
  })
})
