import { deepEqual, equal, ok } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { after, afterEach, before, describe, it } from 'mocha'
import { ChangePage } from '#protocol/lore/audit.js'
import { leastTurnMs } from '#test/support/longest-turn.js'
import { nodeFiles, restoreCommit, startNode, type TestNode } from '#test/support/node.js'

const index = 'encje/indeks.md'
const block = (name: string): string => `### ${name}\n- @typ: NPC\n- @status: Aktywny\n`
const many = (status: string): string =>
  Array.from({ length: 8_000 }, (_, at) => block(`Ktoś ${at}`).replace('Aktywny', status)).join('\n')

describe('changes of the lore through the whole node', () => {
  let node: TestNode
  let first: string

  before(async () => {
    node = await startNode({ files: { ...nodeFiles, [index]: block('Kupiec Bogdan') } })
    first = node.repository.head()
  })
  afterEach(() => restoreCommit(node, first))
  after(() => node.stop())

  const page = async (query = ''): Promise<ChangePage> => {
    const reply = await node.client.ask(`/audit/changes${query}`)
    const read = ChangePage.decode(JSON.parse(reply.text))
    if (isLeft(read)) throw new Error(`${reply.status} ${reply.text}`)
    return read.right
  }

  const patch = async (body: object): Promise<void> => {
    const reply = await node.client.ask('/entities/Kupiec%20Bogdan', {
      method: 'PATCH',
      body: JSON.stringify(body),
    })
    equal(reply.status, 200, reply.text)
  }

  it('has a write as soon as it is answered, with its commit, actor, route and intent', async () => {
    await patch({ tag: 'status', value: 'Nieaktywny', from: '2026-05-01' })
    const { items } = await page('?name=Kupiec%20Bogdan&field=status')
    deepEqual(
      items.map(one => [one.op, one.before, one.after]),
      [
        ['changed', 'Aktywny', 'Aktywny (:2026-04-30)'],
        ['added', null, 'Nieaktywny (2026-05-01:)'],
        ['added', null, 'Aktywny'],
      ],
    )
    const first = items[0]
    if (first === undefined) throw new Error('no change')
    equal(first.commit, node.repository.head())
    deepEqual([first.who, first.actor, first.route], ['Kronika', 'machine', 'PATCH /entities/{name}'])
    const [intent, subject] = node.repository
      .git('log', '-1', '--format=%(trailers:key=Svc-Intent,valueonly,separator=)%n%s')
      .split('\n')
    deepEqual([first.intent, first.subject], [intent, subject])
  })

  it('goes on with a cursor where it was, whatever is written meanwhile', async () => {
    for (const value of ['a', 'b', 'c']) await patch({ tag: 'info', value })
    const whole = (await page()).items
    const first = await page('?limit=2')
    await patch({ tag: 'info', value: 'd' })
    const rest = await page(`?cursor=${first.next ?? ''}`)
    deepEqual([...first.items, ...rest.items], whole)
    equal((await page('?limit=1')).items[0]?.after, 'd')
  })

  it('holds nobody up while it reads a large change', async () => {
    node.repository.commit({ 'encje/indeks-02.md': many('Aktywny') }, 'many')
    node.repository.commit({ 'encje/indeks-02.md': many('Nieaktywny') }, 'all of them')
    await node.host.look()
    // A page ends early where its time is up, and names where the next one begins.
    const readChanges = async (count: number): Promise<ChangePage['items']> => {
      const items: Array<ChangePage['items'][number]> = []
      for (let cursor: string | null = ''; cursor !== null && items.length < count; ) {
        const read: ChangePage = await page(`?limit=500${cursor === '' ? '' : `&cursor=${cursor}`}`)
        items.push(...read.items)
        cursor = read.next
      }
      return items.slice(0, count)
    }
    await readChanges(500)
    const worstMs = await leastTurnMs(50, async () => {
      const items = await readChanges(500)
      equal(items.length, 500)
      ok(items.every(one => one.before === 'Aktywny' && one.after === 'Nieaktywny'))
    })
    ok(worstMs < 50, `${worstMs} ms`)
  })
})
