import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { temporaryFolder, writeFiles } from '#test/support/repository.js'

const manifest = readFileSync('package.json', 'utf8')
const scriptOf = (name: string): string => new RegExp(`"${name}": "([^"]+)"`).exec(manifest)?.[1] ?? 'exit 9'
// The bundler of the test stands for `node`, which npm would run by.
const script = scriptOf('build')

/** A node whose bundler writes a program where it is told to, and fails after it where it is to. */
const bundler = `#!/bin/sh
for folder; do :; done
mkdir -p "$folder/src" && echo new > "$folder/src/main.js" && printf id > "$folder/build-id"
[ "$FAILS" != bundle ]
`

describe('npm run build', () => {
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    folder = temporaryFolder()
    const programs = { 'bin/node': bundler }
    writeFiles(folder.path, programs)
    for (const path of Object.keys(programs)) chmodSync(join(folder.path, path), 0o755)
  })
  afterEach(() => folder.dispose())

  const build = (fails = ''): number | null =>
    spawnSync('sh', ['-c', script], {
      cwd: folder.path,
      env: { PATH: `${join(folder.path, 'bin')}:${process.env['PATH'] ?? ''}`, FAILS: fails },
    }).status
  const program = (): string => readFileSync(join(folder.path, 'dist/src/main.js'), 'utf8')

  it('leaves the program that was there where the bundle fails', () => {
    writeFiles(folder.path, { 'dist/src/main.js': 'old\n', 'dist/src/gone.js': 'old\n' })
    notEqual(build('bundle'), 0)
    equal(program(), 'old\n')
  })

  for (const before of [
    {},
    { 'dist/src/gone.js': 'old\n', 'dist.next/src/half.js': 'half\n', 'dist.old/a.js': 'a' },
  ])
    it(`leaves what it made and nothing else beside ${Object.keys(before).length} old files`, () => {
      writeFiles(folder.path, before)
      equal(build(), 0)
      equal(program(), 'new\n')
      deepEqual(readdirSync(folder.path).sort(), ['bin', 'dist'])
      deepEqual(readdirSync(join(folder.path, 'dist/src')).sort(), ['main.js'])
      equal(readFileSync(join(folder.path, 'dist/build-id'), 'utf8'), 'id')
    })
})
