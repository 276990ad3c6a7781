import { deepEqual, equal, match } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import type { AfterWrite, WriteFact } from '#actors/write-gate/plan-on.js'
import type { BeforeWrite } from '#src/writing/batch/hooks.js'
import { eventually } from '#test/support/daemon.js'
import type { Reply } from '#test/support/http-client.js'
import { nodeFiles, startNode, type TestNode } from '#test/support/node.js'

describe('hooks of a write', () => {
  let node: TestNode
  const start = async (
    before: ReadonlyArray<BeforeWrite>,
    after: ReadonlyArray<AfterWrite>,
  ): Promise<void> => {
    node = await startNode({
      files: { ...nodeFiles, '.svc/config.json': '{}\n' },
      amend: ports => ({
        ...ports,
        gate: {
          ...ports.gate,
          hooks: [...ports.gate.hooks, ...before],
          afterWrite: [...after, ...ports.gate.afterWrite],
        },
      }),
    })
  }
  const patch = (value: string): Promise<Reply> =>
    node.client.ask('/entities/Orrin', { method: 'PATCH', body: JSON.stringify({ tag: '@info', value }) })
  const commits = (): number => Number(node.repository.git('rev-list', '--count', 'HEAD'))

  afterEach(() => node.stop())

  it('before it may reject: 422, nothing is written, and the next write goes on', async () => {
    const check: BeforeWrite['check'] = (_, { edits }) => {
      const said = JSON.stringify(edits)
      if (said.includes('zakazane')) return 'This word is not wanted.'
      if (said.includes('błąd')) throw new Error('The check could not be made.')
      return null
    }
    await start([{ name: 'words', check }], [])
    for (const [value, reason] of [
      ['zakazane', 'This word is not wanted.'],
      ['błąd', 'The check could not be made.'],
    ] as const) {
      const refused = await patch(value)
      deepEqual(
        [refused.status, JSON.parse(refused.text)],
        [422, { error: 'WriteRejected', detail: reason, hook: 'words' }],
      )
    }
    equal(commits(), 1)
    equal((await patch('dobre')).status, 200)
  })

  it('after it may fail or hang: a warning, a metric and an event, and the write stands', async () => {
    const told: Array<WriteFact> = []
    const failing: AfterWrite = {
      name: 'failing',
      run: () => {
        throw new Error('courier is away')
      },
    }
    const rejecting: AfterWrite = { name: 'rejecting', run: () => Promise.reject(new Error('no route')) }
    const hanging: AfterWrite = { name: 'hanging', run: () => new Promise(() => undefined) }
    const telling: AfterWrite = { name: 'telling', run: fact => void told.push(fact) }
    await start([], [failing, rejecting, hanging, telling])
    const answer = await patch('pierwszy')
    equal(answer.status, 200)
    const next = await patch('drugi')
    equal(next.status, 200, 'the next write waits for the hooks, and no longer')
    equal(commits(), 3)
    await eventually(
      () => Promise.resolve(told.length),
      count => count === 2,
    )
    const intents = node.repository.git(
      'log',
      '-2',
      '--reverse',
      '--format=%(trailers:key=Svc-Intent,valueonly)',
    )
    deepEqual(
      told.map(({ commit, route, touches, intent }) => [commit, route, touches, intent]),
      intents
        .split('\n')
        .filter(line => line !== '')
        .map((intent, at) => [
          [answer, next][at]?.headers['x-svc-commit'],
          'PATCH /entities/{name}',
          [{ kind: 'entity', name: 'Kupiec Orrin' }],
          intent,
        ]),
    )
    for (const hook of ['failing', 'rejecting', 'hanging'])
      equal(await node.metric('svc_write_hook_failures_total', { hook }), 2, hook)
    const warnings = node.records
      .filter(({ event }) => event === 'hook_failed')
      .map(({ fields }) => fields['hook'])
    deepEqual(warnings, ['failing', 'rejecting', 'hanging', 'failing', 'rejecting', 'hanging'])
    const journal = await eventually(
      async () => (await node.client.ask('/events/journal?since=0')).text,
      text => text.split('"write:committed"').length === 3,
    )
    match(
      journal,
      /"hook:failed","payload":\{"hook":"failing","commit":"[0-9a-f]{40}","reason":"courier is away"\}/,
    )
  })
})
