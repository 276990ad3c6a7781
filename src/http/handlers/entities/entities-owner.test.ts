import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'

const index = `### Magnus
- @typ: Postać
- @alias: Mag
- @należy_do: sol

### Sol
- @typ: NPC

### Miecz
- @typ: Przedmiot
- @należy_do: Mag

### Tarcza
- @typ: Przedmiot
- @należy_do: Nikt

### Sieroca
- @typ: Postać
- @należy_do: Wspólny
`

const store = `## Gracz
### Solmyr
- @gameid: 12345 (2023-06:)
- @alias: Sol
- @alias: Wspólny
### Żaneta
- @gameid: 67890 (2023-06:)
- @alias: Wspólny
`

describe('the owner of an entity', () => {
  let front: TestFront
  beforeEach(async () => {
    const snapshot = worldOf({
      '.svc/format.json': '{"format": 2}',
      'encje/indeks.md': index,
      'kontrybutorzy.md': store,
    })
    front = await testFront({ snapshot, callers: { reader: callerWith(['entity.read', 'player.read']) } })
  })
  afterEach(() => front.close())

  const read = async (path: string): Promise<Fields> => {
    const { status, text, json } = await front.client.ask(encodeURI(path))
    equal(status, 200, `${path} ${text}`)
    ok(isFields(json))
    return json
  }
  const owners = async (path: string): Promise<ReadonlyArray<unknown>> => {
    const { items } = await read(path)
    ok(Array.isArray(items))
    return items.filter(isFields).map(one => one['Owner'])
  }

  it('is the heading of the Gracz on every route', async () => {
    equal((await read('/characters/Magnus'))['Owner'], 'Solmyr')
    deepEqual(await owners('/people/Solmyr/characters'), ['Solmyr'])
    equal((await read('/entities/Magnus'))['Owner'], 'Solmyr')
    deepEqual(await owners('/entities?name=Magnus'), ['Solmyr'])
    deepEqual(await owners('/entities?type=Postać&activeOn=2024-01-01'), ['Solmyr', 'Wspólny'])
    deepEqual((await read('/entities/Magnus/relations'))['owner'], { name: 'Solmyr', type: 'Gracz' })
    const { player } = await read('/entities/Magnus/player')
    ok(isFields(player))
    equal(player['Name'], 'Solmyr')
  })

  it('of a thing is the heading of the block meant, and else the name as written', async () => {
    deepEqual(await owners('/entities'), [null, null, 'Solmyr', null, 'Magnus', 'Nikt', 'Wspólny'])
    deepEqual((await read('/entities/Miecz/relations'))['owner'], { name: 'Magnus', type: 'Postać' })
  })

  it('is told as written where several Gracze have the alias', async () => {
    for (const path of ['/characters/Sieroca', '/entities/Sieroca'])
      equal((await read(path))['Owner'], 'Wspólny', path)
    equal((await read('/entities/Sieroca/player'))['player'], null)
  })
})
