import { deepEqual, equal, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { afterEach, describe, it } from 'mocha'
import { looseMax } from '#actors/repository-cleaner.js'
import { type BuiltHost, startBuilt } from '#test/support/built-host.js'
import { eventually } from '#test/support/daemon.js'
import type { Repository } from '#test/support/repository.js'

const lore = { '.svc/format.json': '{"format": 2}\n', 'encje/indeks.md': '### Orrin\n- @typ: NPC\n' }

/** A branch of one commit with so many files, each of which stays a loose object. */
const addLoose = ({ path }: Repository, count: number): void => {
  const files = Array.from({ length: count }, (_, at) => {
    const text = `plik ${at}`
    return `M 100644 inline f/${at}.txt\ndata ${Buffer.byteLength(text)}\n${text}\n`
  })
  const commit = ['commit refs/heads/many', 'committer Test <test@example.org> 1 +0000', 'data 4', 'many']
  execFileSync('git', ['-c', 'fastimport.unpackLimit=1000000', 'fast-import', '--quiet'], {
    cwd: path,
    input: `${commit.join('\n')}\n${files.join('')}\n`,
  })
}

describe('the object store of a built daemon', () => {
  let host: BuiltHost | null = null
  afterEach(async () => {
    await host?.stop()
    host = null
  })

  it('is packed after the start where it has many loose objects, beside writes', async () => {
    host = await startBuilt({ files: lore, ready: repository => addLoose(repository, looseMax.objects) })
    const { client, repository } = host
    const count = (): number => Number(/^count: (\d+)$/m.exec(repository.git('count-objects', '-v'))?.[1])
    ok(count() >= looseMax.objects)
    const acked: Array<string> = []
    await eventually(
      async () => {
        const body = JSON.stringify({ tag: 'info', value: `wpis ${acked.length}` })
        const { status, headers, text } = await client.ask('/entities/Orrin', { method: 'PATCH', body })
        equal(status, 200, text)
        acked.push(String(headers['x-svc-commit']))
        return count()
      },
      left => left < looseMax.objects,
    )
    // git is still removing what it packed.
    const { metric } = host
    await eventually(
      () => metric('svc_git_commands_total', { command: 'repack', result: 'ok' }),
      ended => ended === 1,
    )
    equal(repository.git('fsck', '--full'), '')
    const history = new Set(repository.git('rev-list', 'HEAD').split('\n'))
    deepEqual(
      acked.filter(commit => !history.has(commit)),
      [],
    )
  })
})
