import { deepEqual, equal, ok } from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { afterEach, describe, it } from 'mocha'
import { decodeTranscript } from '#src/domain/transcripts/sidecar.js'
import { eventually } from '#test/support/daemon.js'
import { nodeFiles, startNode, type TestNode } from '#test/support/node.js'

const address = 'https://private.example/karczma'
const evening = '[20:15] [Lokalny] Orrin: Dobry wieczór.\n=== Rynek ===\n[20:16] [Lokalny] Orrin: Witaj.\n'
const canary = 'sid=canary-77aa01'

describe('the archive of a node', () => {
  let node: TestNode | null = null
  afterEach(() => node?.stop())

  const start = async () => {
    node = await startNode({
      files: {
        ...nodeFiles,
        '.svc/config.json': JSON.stringify({
          server: { selfheal_interval_ms: 100 },
          integrations: {
            logs: { hosts: ['private.example', 'localhost.invalid'], fetch_timeout_ms: 2_000 },
          },
        }),
        'sesje/2026.md': `### 2026-05-10, Most, Brzoza\n\nOpis.\n\n- @Logi:\n    - ${address}\n`,
      },
    })
    return node
  }
  const show = (one: TestNode, path: string): string =>
    execFileSync('git', ['-C', one.repository.path, 'show', `HEAD:${path}`], { encoding: 'utf8' })

  it('commits an imported transcript with its sidecar, which the index then answers from', async () => {
    const one = await start()
    const imported = await one.client.ask('/logs/import', {
      method: 'POST',
      body: JSON.stringify({ url: address, content: evening }),
    })
    equal(imported.status, 200, imported.text)
    equal(show(one, 'logi/karczma.txt'), evening)
    const sidecar = decodeTranscript(show(one, 'logi/karczma.json'))
    ok(sidecar._tag === 'Right')
    deepEqual(
      sidecar.right.segments.map(({ place }) => place),
      ['Rynek'],
    )
    await eventually(
      () => one.client.ask('/logs/lines?log=karczma', {}),
      lines => lines.status === 200 && lines.text.includes('Witaj.'),
    )
    const reparsed = await one.client.ask('/logs/archive/reparse', { method: 'POST' })
    deepEqual(reparsed.json, { Total: 1, Rewritten: 0, Current: 1 })
  })

  it('keeps the headers of a raw request out of its repository, database, journal and log', async () => {
    const one = await start()
    const request = `GET /karczma HTTP/1.1\r\nHost: localhost.invalid\r\nCookie: ${canary}\r\n\r\n`
    const answer = await one.client.ask('/logs/fetch', { method: 'POST', body: JSON.stringify({ request }) })
    equal(answer.status, 200, answer.text)
    deepEqual(Reflect.get(Object(answer.json), 'FailedUrls'), ['https://localhost.invalid/karczma'])
    const status = await one.client.ask('/logs/status', {})
    // Ends with 1 where no file of the repository and its state area has the text.
    const found = spawnSync('grep', ['-rla', 'canary-77aa01', one.repository.path], { encoding: 'utf8' })
    deepEqual([found.status, found.stdout], [1, ''])
    equal(execFileSync('git', ['-C', one.repository.path, 'log', '-p', '--all']).includes('canary'), false)
    ok(status.text.includes('karczma'))
    equal(`${answer.text}${status.text}${JSON.stringify(one.records)}`.includes('canary'), false)
  })
})
