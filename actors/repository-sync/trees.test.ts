import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { type SyncWorld, syncWorld } from '#test/support/sync-hosts.js'

const samples = 'samples/kronika/entity-span.jsonl'
const row = (id: string, label = 'Person') => `${JSON.stringify({ id, grade: 'proposed', label })}\n`

describe('the sync of a further tree', () => {
  let world: SyncWorld
  afterEach(() => world.dispose())

  it('makes one row of a sample that two hosts add, also where git merges the lines', async () => {
    const base = Array.from({ length: 12 }, (_, at) => row(`k${at}`)).join('')
    world = syncWorld({ [samples]: base })
    const one = await world.host('one', { tree: 'adnotacje' })
    const other = await world.host('other', { tree: 'adnotacje' })
    one.write({ [samples]: `${row('new')}${base}` })
    await one.sync()
    other.write({ [samples]: `${base}${row('new')}${row('mine')}` })
    deepEqual([(await other.sync()).lastAction, other.ended.at(-1)?.run.parked], ['merged', []])
    const ids = other
      .file(samples)
      .split('\n')
      .map(line => /"id":"(\w+)"/u.exec(line)?.[1])
    deepEqual([ids.filter(id => id === 'new').length, ids.includes('mine'), ids.length], [1, true, 14])
  })

  it('keeps the longer text of a transcript with its sidecar, and parks nothing', async () => {
    const line = (at: number, name: string) => `[20:0${at}] [Lokalny] ${name}: mowa\n`
    const first = line(0, 'Zoe') + line(1, 'Orrin') + line(2, 'Zoe')
    world = syncWorld({ 'a.txt': first, 'a.json': '{"lines": 3}\n', 'README.md': 'logi\n' })
    const one = await world.host('one', { tree: 'logi' })
    const other = await world.host('other', { tree: 'logi' })
    one.write({ 'a.txt': `wstęp\n${first}`, 'a.json': '{"lines": 4, "parser": "older and longer"}\n' })
    await one.sync()
    const longer = first + line(3, 'Orrin') + line(4, 'Zoe')
    other.write({ 'a.txt': longer, 'a.json': '{"lines": 5}\n' })
    equal((await other.sync()).lastAction, 'merged')
    deepEqual([`${other.file('a.txt')}\n`, other.file('a.json')], [longer, '{"lines": 5}'])
    await one.sync()
    equal(one.head(), other.head())
  })
})
