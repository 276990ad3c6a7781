import { deepEqual } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { binary } from '#test/support/daemon.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'

/** Runs the built command into a pipe whose reader goes after `bytes`; the shell tells how the command itself ended. */
const intoHead = (bytes: number, args: ReadonlyArray<string>) =>
  new Promise<{ readonly read: string; readonly said: string }>(resolve => {
    const line = `{ "$@"; echo "ended $?" >&2; } | head -c ${bytes}`
    const child = spawn('sh', ['-c', line, 'sh', process.execPath, binary, ...args])
    let [read, said] = ['', '']
    child.stdout.on('data', (part: Buffer) => {
      read += part.toString('utf8')
    })
    child.stderr.on('data', (part: Buffer) => {
      said += part.toString('utf8')
    })
    child.once('close', () => resolve({ read, said }))
  })

/** More findings than a pipe holds, so that the command still writes when its reader has gone. */
const manyFindings = Array.from({ length: 3000 }, (_, at) => `### Kupiec ${at}\n- @typ: NPC\n- @barwa: x\n`)

describe('a command whose reader leaves', () => {
  let repository: Repository
  beforeEach(() => {
    repository = repositoryOf({
      '.svc/format.json': '{"format": 2}\n',
      'encje/indeks.md': manyFindings.join('\n'),
    })
  })
  afterEach(() => repository.dispose())

  it('ends with 141 and says nothing: openapi', async () => {
    deepEqual(await intoHead(5, ['openapi']), { read: '{\n  "', said: 'ended 141\n' })
  })

  it('ends with 141 and says nothing: doctor', async () => {
    const { read, said } = await intoHead(5, ['doctor', '--repo', repository.path])
    deepEqual([read.length, said], [5, 'ended 141\n'])
  })
})
