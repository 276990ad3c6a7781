import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { temporaryFolder, writeFiles } from '#test/support/repository.js'

const script = /"build": "([^"]+)"/.exec(readFileSync('package.json', 'utf8'))?.[1] ?? 'exit 9'

/** A compiler that writes a program where it is told to, and fails after it where it is to. */
const compiler = `#!/bin/sh
while [ "$1" != --outDir ]; do shift || exit 8; done
mkdir -p "$2/src/boot" && echo new > "$2/src/main.js"
echo "require('node:fs').writeFileSync('dist.next/build-id', 'id')" > "$2/src/boot/write-build-id.js"
[ -z "$FAILS" ]
`

describe('npm run build', () => {
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    folder = temporaryFolder()
    writeFiles(folder.path, { 'bin/tsc': compiler })
    chmodSync(join(folder.path, 'bin/tsc'), 0o755)
  })
  afterEach(() => folder.dispose())

  const build = (fails = ''): number | null =>
    spawnSync('sh', ['-c', script], {
      cwd: folder.path,
      env: { PATH: `${join(folder.path, 'bin')}:${process.env['PATH'] ?? ''}`, FAILS: fails },
    }).status
  const program = (): string => readFileSync(join(folder.path, 'dist/src/main.js'), 'utf8')

  it('leaves the program that was there where it does not come to its end', () => {
    writeFiles(folder.path, { 'dist/src/main.js': 'old\n', 'dist/src/gone.js': 'old\n' })
    notEqual(build('yes'), 0)
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
      deepEqual(readdirSync(join(folder.path, 'dist/src')).sort(), ['boot', 'main.js'])
      equal(readFileSync(join(folder.path, 'dist/build-id'), 'utf8'), 'id')
    })
})
